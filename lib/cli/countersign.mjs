#!/usr/bin/env node
import { pathToFileURL } from 'node:url';
import { bootstrap } from './bootstrap/bootstrap.mjs';
import { loadEnvFile } from './bootstrap/load-env-file.mjs';
import { guardProgram, isWritable } from './bootstrap/guard-program.mjs';
import { inRoot } from './bootstrap/paths.mjs';

// The `countersign` command. The working directory stays the caller's: paths among the arguments are relative to it.
const guard = process.argv[2] === 'guard';
const built = guard ? guardProgram() : undefined;
if (built !== undefined) {
  await import(pathToFileURL(built).href);
} else if (guard && !isWritable()) {
  process.stderr.write('error: The guard commands are not built yet, and this user may not build them: run "npx countersign guard --help" as the owner of this folder.\n');
  process.exitCode = 2;
} else {
  loadEnvFile();
  // Of the commands only this one needs the console built.
  await bootstrap({ console: process.argv[2] === 'console' });
  process.setSourceMapsEnabled(true);
  await import(pathToFileURL(inRoot('.build/countersign.mjs')).href);
}
