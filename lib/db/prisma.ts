import type pg from 'pg';

import type { PrismaClient } from './generated/client';

const clients = new WeakMap<pg.Pool, Promise<PrismaClient>>();

/**
 * Prisma on the shared pool, for the console's plain reads. Loaded when first asked for: the plane never does, and starts
 * without it. Closing it is closing the pool.
 */
export function prismaOf(pool: pg.Pool): Promise<PrismaClient> {
  let client = clients.get(pool);
  if (!client) {
    client = makeClient(pool);
    clients.set(pool, client);
  }
  return client;
}

async function makeClient(pool: pg.Pool): Promise<PrismaClient> {
  const [{ PrismaPg }, generated] = await Promise.all([import('@prisma/adapter-pg'), import('./generated/client')]);
  return new generated.PrismaClient({ adapter: new PrismaPg(pool) });
}
