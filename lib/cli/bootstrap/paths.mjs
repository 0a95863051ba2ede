import path from 'node:path';
import { fileURLToPath } from 'node:url';

/** Root of the repository, wherever the command was called from. */
export const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../../..');

/** A file below the root. */
export const inRoot = (...parts) => path.join(root, ...parts);
