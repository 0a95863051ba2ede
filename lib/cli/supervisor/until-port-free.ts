import net from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

const patienceMs = 8000;

/**
 * Resolves when the port can be bound. After a supervisor was killed its programs need a moment to end, so a taken port is waited for;
 * one that stays taken belongs to somebody else.
 */
export async function untilPortFree(host: string, port: number, setting: string): Promise<void> {
  const deadline = Date.now() + patienceMs;
  for (;;) {
    const fault = await bind(host, port);
    if (fault === undefined) return;
    if (fault.code !== 'EADDRINUSE') throw new Error(`Cannot listen on ${host}:${String(port)}: ${fault.message}`, { cause: fault });
    if (Date.now() > deadline)
      throw new Error(`Port ${String(port)} of ${host} is in use. Stop what uses it, or set ${setting} to another port.`);
    await pause(200);
  }
}

function bind(host: string, port: number): Promise<NodeJS.ErrnoException | undefined> {
  return new Promise((resolve) => {
    const server = net.createServer();
    server.once('error', resolve);
    server.listen({ host, port, exclusive: true }, () => {
      server.close(() => {
        resolve(undefined);
      });
    });
  });
}
