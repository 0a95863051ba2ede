import { randomUUID } from 'node:crypto';
import { inject } from 'vitest';
import { createDatabase, dropDatabase } from '@/lib/db/create-database';
import { templateName } from '@/lib/testing/database-server';

export type TestDatabase = { readonly url: string; drop(): Promise<void> };

/** A fresh, migrated database of the caller's own; `drop` also closes what is still connected to it. For `*.itest.ts` only. */
export async function createTestDatabase(): Promise<TestDatabase> {
  const adminUrl = inject('adminUrl');
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  const url = await createDatabase(adminUrl, name, templateName);
  return { url, drop: () => dropDatabase(adminUrl, name) };
}

/** A fresh database without a schema, for tests of the migrations themselves. */
export async function createEmptyDatabase(): Promise<TestDatabase> {
  const adminUrl = inject('adminUrl');
  const name = `empty_${randomUUID().replaceAll('-', '')}`;
  const url = await createDatabase(adminUrl, name);
  return { url, drop: () => dropDatabase(adminUrl, name) };
}
