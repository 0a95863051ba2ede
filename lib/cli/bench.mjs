import { pathToFileURL } from 'node:url';
import { bootstrap } from './bootstrap/bootstrap.mjs';
import { inRoot } from './bootstrap/paths.mjs';

// `npm run bench -- AREA [--json]`.
await bootstrap();
process.chdir(inRoot());
process.setSourceMapsEnabled(true);
await import(pathToFileURL(inRoot('.build/bench.mjs')).href);
