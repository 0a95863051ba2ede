import fs from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { log } from './log.mjs';
import { inRoot } from './paths.mjs';

const folder = inRoot('.bootstrap.lock');
const owner = inRoot('.bootstrap.lock', 'pid');

/**
 * Two commands started at once set up one after the other. Making a folder is atomic; a lock whose process is gone is removed. The
 * holder may be between making the folder and writing its number, so a lock without one counts as stale only after a while.
 */
export async function withLock(work) {
  for (let tries = 0; !acquire(); tries += 1) {
    if (tries === 0) log('waiting for another set-up to finish');
    if (isStale(tries)) fs.rmSync(folder, { recursive: true, force: true });
    else await pause(250);
  }
  const release = () => fs.rmSync(folder, { recursive: true, force: true });
  process.once('exit', release);
  try {
    return await work();
  } finally {
    process.removeListener('exit', release);
    release();
  }
}

function acquire() {
  try {
    fs.mkdirSync(folder);
  } catch (error) {
    if (error.code === 'EEXIST') return false;
    throw error;
  }
  fs.writeFileSync(owner, String(process.pid));
  return true;
}

function isStale(tries) {
  let pid;
  try {
    pid = Number(fs.readFileSync(owner, 'utf8'));
  } catch {
    return tries > 20;
  }
  try {
    process.kill(pid, 0);
    return false;
  } catch (error) {
    return error.code !== 'EPERM';
  }
}
