#!/usr/bin/env node
import { pathToFileURL } from 'node:url';
import { bootstrap } from './bootstrap/bootstrap.mjs';
import { loadEnvFile } from './bootstrap/load-env-file.mjs';
import { inRoot } from './bootstrap/paths.mjs';

// The `countersign` command. The working directory stays the caller's: paths among the arguments are relative to it.
loadEnvFile();
// Of the commands only this one needs the console built.
await bootstrap({ console: process.argv[2] === 'console' });
process.setSourceMapsEnabled(true);
await import(pathToFileURL(inRoot('.build/countersign.mjs')).href);
