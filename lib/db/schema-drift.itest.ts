import pg from 'pg';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '@/lib/testing/database';
import { schemaDrift } from '@/lib/testing/schema-drift';

let database: TestDatabase;

beforeEach(async () => {
  database = await createTestDatabase();
});

afterEach(() => database.drop());

describe('migrations', () => {
  test('give exactly the schema that the generated client expects', async () => {
    expect(await schemaDrift(database.url)).toBeUndefined();
  });

  test('a difference would be noticed', async () => {
    const client = new pg.Client({ connectionString: database.url });
    await client.connect();
    await client.query('CREATE TABLE stranger (id int PRIMARY KEY)');
    await client.end();
    expect(await schemaDrift(database.url)).toContain('stranger');
  });
});
