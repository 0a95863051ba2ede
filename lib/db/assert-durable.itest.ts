import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import { openTestStores, type TestStores } from '@/lib/testing/test-stores';

import { assertDurable } from './assert-durable';

let opened: TestStores;

beforeEach(async () => {
  opened = await openTestStores();
});

afterEach(() => opened.close());

describe('assertDurable', () => {
  test('a server as installed is safe to start on', async () => {
    await expect(assertDurable(opened.pool)).resolves.toBeUndefined();
  });

  test('refuses a database that answers COMMIT before it is on disk, and says which setting', async () => {
    await opened.pool.query(`DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET synchronous_commit = off', current_database()); END $$`);
    await expect(assertDurable(opened.another().pool)).rejects.toThrow('synchronous_commit off');
  });

  test('synchronous_commit=local is durable on this server', async () => {
    await opened.pool.query(`DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET synchronous_commit = local', current_database()); END $$`);
    await expect(assertDurable(opened.another().pool)).resolves.toBeUndefined();
  });
});
