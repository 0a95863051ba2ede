import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { migrate } from '@/lib/db/migrate';
import { createEmptyDatabase, type TestDatabase } from '@/lib/testing/database';

let database: TestDatabase;
let directory: string;

const add = (name: string, sql: string): void => {
  fs.mkdirSync(path.join(directory, name), { recursive: true });
  fs.writeFileSync(path.join(directory, name, 'migration.sql'), sql);
};

async function query(sql: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(sql)).rows;
  } finally {
    await client.end();
  }
}

beforeEach(async () => {
  database = await createEmptyDatabase();
  directory = fs.mkdtempSync(path.join(os.tmpdir(), 'countersign-migrations-'));
});

afterEach(async () => {
  await database.drop();
  fs.rmSync(directory, { recursive: true, force: true });
});

describe('migrate', () => {
  test('applies what is missing in order of name, and nothing twice', async () => {
    add('0002_fill', "INSERT INTO thing VALUES ('semicolon; inside')");
    add('0001_make', 'CREATE TABLE thing (name text)');
    expect(await migrate(database.url, directory)).toEqual(['0001_make', '0002_fill']);
    expect(await migrate(database.url, directory)).toEqual([]);
    expect(await query('SELECT * FROM thing')).toEqual([{ name: 'semicolon; inside' }]);
  });

  test('a directory without migrations changes nothing', async () => {
    expect(await migrate(database.url, path.join(directory, 'missing'))).toEqual([]);
  });

  test('a failing migration leaves nothing of itself and can be tried again', async () => {
    add('0001_broken', 'CREATE TABLE half (id int); SELECT 1/0;');
    await expect(migrate(database.url, directory)).rejects.toThrow(/0001_broken failed/);
    expect(await query("SELECT to_regclass('half') AS half")).toEqual([{ half: null }]);
    add('0001_broken', 'CREATE TABLE half (id int)');
    expect(await migrate(database.url, directory)).toEqual(['0001_broken']);
  });

  test('several starts at once apply each migration once', async () => {
    add('0001_make', 'CREATE TABLE thing (name text)');
    const results = await Promise.all(Array.from({ length: 4 }, () => migrate(database.url, directory)));
    expect(results.flat()).toEqual(['0001_make']);
  });

  test('refuses an applied migration that was edited', async () => {
    add('0001_make', 'CREATE TABLE thing (name text)');
    await migrate(database.url, directory);
    add('0001_make', 'CREATE TABLE thing (name text, more text)');
    await expect(migrate(database.url, directory)).rejects.toThrow(/edited/);
  });

  test('refuses a database that a newer version made', async () => {
    add('0001_make', 'CREATE TABLE thing (name text)');
    await migrate(database.url, directory);
    fs.rmSync(path.join(directory, '0001_make'), { recursive: true });
    await expect(migrate(database.url, directory)).rejects.toThrow(/does not know/);
  });

  test('refuses a migration that another tool left unfinished', async () => {
    add('0001_make', 'CREATE TABLE thing (name text)');
    await migrate(database.url, directory);
    await query('UPDATE "_prisma_migrations" SET finished_at = NULL');
    await expect(migrate(database.url, directory)).rejects.toThrow(/halfway/);
  });
});
