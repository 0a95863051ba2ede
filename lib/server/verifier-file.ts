import { readFile } from 'node:fs/promises';
import path from 'node:path';

import { projectRoot } from './project-root';

/** The verifier as one HTML file, as it was built with this version. Throws when it was not built: every program builds it before it starts. */
export const readVerifierFile = async (): Promise<string> => await readFile(path.join(projectRoot(), '.build', 'verifier.html'), 'utf8');
