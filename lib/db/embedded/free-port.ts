import net from 'node:net';

/**
 * A TCP port of the loopback address that is free now. PostgreSQL cannot pick one itself; between this answer and its start another
 * process may take it, so the caller tries again.
 */
export function freePort(preferred = 0): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = net.createServer();
    server.once('error', (error) => {
      if (preferred === 0) reject(error);
      else freePort().then(resolve, reject);
    });
    server.listen(preferred, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => {
        if (typeof address === 'object' && address !== null) resolve(address.port);
        else reject(new Error('The listening socket has no port'));
      });
    });
  });
}
