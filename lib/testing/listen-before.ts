import type net from 'node:net';

/** Lets a proxy listen on a port of its own. `url` is the database's with the proxy in its place; `close` ends `sockets` first. */
export async function listenBefore(databaseUrl: string, server: net.Server, sockets: ReadonlySet<net.Socket>): Promise<{ readonly url: string; readonly close: () => Promise<void> }> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The proxy has no port.');
  const url = new URL(databaseUrl);
  url.hostname = '127.0.0.1';
  url.port = String(address.port);
  return {
    url: url.href,
    close: () =>
      new Promise<void>((resolve) => {
        for (const socket of sockets) socket.destroy();
        server.close(() => resolve());
      }),
  };
}
