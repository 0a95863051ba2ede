import { pathToFileURL } from 'node:url';
import { bootstrap } from './bootstrap/bootstrap.mjs';
import { loadEnvFile } from './bootstrap/load-env-file.mjs';
import { inRoot } from './bootstrap/paths.mjs';

// `npm start`, `npm run demo`, `npm run dev`: set up what is missing, then become the supervisor, in this very process, so that a signal
// to the command reaches it.
loadEnvFile();
await bootstrap({ console: !process.argv.includes('--dev') });
process.chdir(inRoot());
process.setSourceMapsEnabled(true);
await import(pathToFileURL(inRoot('.build/supervise.mjs')).href);
