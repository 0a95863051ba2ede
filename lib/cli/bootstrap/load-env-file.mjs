import fs from 'node:fs';
import { inRoot } from './paths.mjs';

/** Reads `.env` if there is one. What the environment already sets wins. */
export function loadEnvFile() {
  const file = inRoot('.env');
  if (fs.existsSync(file)) process.loadEnvFile(file);
}
