import { isMainThread } from 'node:worker_threads';

// Loaded into each child before its own code. The supervisor holds the other end of stdin: however it dies, even by SIGKILL, the pipe
// closes, and the child ends too. The variable is taken away so that the child's own children and workers do not act on it.

const supervisor = Number(process.env.COUNTERSIGN_SUPERVISOR);
const graceMs = 3000;
let leaving = false;

if (isMainThread && supervisor > 0) {
  delete process.env.COUNTERSIGN_SUPERVISOR;
  // The supervisor died before this line: nobody would ever end this process.
  if (process.ppid !== supervisor) process.exit(1);
  process.stdin.on('end', leave).on('close', leave).on('error', leave);
  process.stdin.resume();
  process.stdin.unref();
}

function leave() {
  if (leaving) return;
  leaving = true;
  process.kill(process.pid, 'SIGTERM');
  setTimeout(() => {
    try {
      // The child leads its own process group, which also holds what it started.
      process.kill(-process.pid, 'SIGKILL');
    } catch {
      process.kill(process.pid, 'SIGKILL');
    }
  }, graceMs).unref();
}
