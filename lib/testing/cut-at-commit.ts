import net from 'node:net';

import { listenBefore } from './listen-before';

/** The simple query `COMMIT` as it goes over the wire (type, length, text, zero), and what the server answers to it. */
const commitMessage = Buffer.from([0x51, 0, 0, 0, 11, ...Buffer.from('COMMIT'), 0]);
const committedMessage = Buffer.from([0x43, 0, 0, 0, 11, ...Buffer.from('COMMIT'), 0]);

export type CuttingProxy = { readonly url: string; readonly cut: (when: 'before' | 'after' | 'never') => void; readonly close: () => Promise<void> };

/**
 * Stands before a PostgreSQL and breaks a connection that commits: `before` the server hears of it, or `after` it has
 * committed and before the client hears so. Both look the same to the client. Statements that went out together with COMMIT
 * stay unanswered too: from the one named `lastStatement` on, the client hears nothing.
 */
export async function cutAtCommit(databaseUrl: string, lastStatement: string): Promise<CuttingProxy> {
  const target = new URL(databaseUrl);
  let when: 'before' | 'after' | 'never' = 'never';
  const sockets = new Set<net.Socket>();
  const server = net.createServer((client) => {
    const upstream = net.connect(Number(target.port), target.hostname);
    let silent = false;
    const end = (): void => {
      client.destroy();
      upstream.destroy();
    };
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on('error', end);
      socket.on('close', end);
    }
    client.on('data', (chunk) => {
      if (when !== 'never' && chunk.includes(lastStatement)) silent = true;
      if (when === 'before' && chunk.includes(commitMessage)) end();
      else upstream.write(chunk);
    });
    upstream.on('data', (chunk) => {
      if (when === 'after' && chunk.includes(committedMessage)) end();
      else if (!silent) client.write(chunk);
    });
  });
  return {
    ...(await listenBefore(databaseUrl, server, sockets)),
    cut: (next) => {
      when = next;
    },
  };
}
