import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

import { AdapterGone, type Adapter } from './adapter';
import { answerMs } from './http-adapter';
import { readReply } from './read-reply';

/** A program that reads one call a line from stdin and writes one answer a line to stdout, in order. Its stderr is shown as it is. */
export function processAdapter(command: string): Adapter {
  const child = spawn(command, { shell: true, stdio: ['pipe', 'pipe', 'inherit'] });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const gone = (cause?: unknown): AdapterGone => new AdapterGone(`The adapter ended: ${command}`, { cause });
  // Writing to a program that has ended; that it has shows when its answer is read.
  child.stdin.on('error', () => undefined);
  const ended = new Promise<never>((_resolve, reject) => {
    child.once('error', (cause) => {
      reject(gone(cause));
    });
  });
  ended.catch(() => undefined);
  return {
    name: command,
    settleMs: 1500,
    ask: async (call) => {
      child.stdin.write(`${JSON.stringify(call)}\n`);
      const line = await Promise.race([lines.next(), ended, late(command)]);
      if (line.done === true) throw gone();
      return readReply(line.value);
    },
    close: async () => {
      child.stdin.end();
      if (child.exitCode !== null || child.pid === undefined) return;
      const left = once(child, 'exit');
      child.kill('SIGTERM');
      await left;
    },
  };
}

/** An answer that comes too late would be read as the next one's. */
function late(command: string): Promise<never> {
  return new Promise((_resolve, reject) => {
    setTimeout(() => {
      reject(new AdapterGone(`The adapter did not answer within ${String(answerMs / 1000)} s: ${command}`));
    }, answerMs).unref();
  });
}
