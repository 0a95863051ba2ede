import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { createEmptyDatabase, type TestDatabase } from '@/lib/testing/database';
import { runCli } from '@/lib/testing/run-cli';

const receipts = 20_000;
const within = 300_000;

let database: TestDatabase;
let folder: string;
let state: string;

beforeAll(async () => {
  database = await createEmptyDatabase();
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'countersign-bench-data-'));
  state = path.join(folder, 'state');
});

afterAll(async () => {
  await database.drop();
  fs.rmSync(folder, { recursive: true, force: true });
});

const fill = (count: number, stateDirectory = state) =>
  runCli({}, 'bench-data', '--receipts', String(count), '--state', stateDirectory, '--database', database.url, '--threads', '0', '--json');

const env = () => ({ COUNTERSIGN_STATE: state, DATABASE_URL: database.url });

describe('bench-data', () => {
  test('fills an empty log with exactly as many receipts as were asked for', async () => {
    const filled = await fill(receipts);
    expect(filled).toMatchObject({ code: 0, err: '', out: expect.stringContaining(`"receipts":${String(receipts)},`) });
  }, within);

  test('what it made passes fsck of the log', async () => {
    const { out } = await runCli(env(), 'fsck', '--log-only', '--json');
    expect(JSON.parse(out)).toEqual(expect.objectContaining({ ok: true, size: receipts }));
  }, within);

  test('asked again for as many it changes nothing, and for another number it refuses', async () => {
    const again = await fill(receipts);
    expect(again).toMatchObject({ code: 0, out: expect.stringContaining('"receipts_per_second":null') });
    const other = await fill(2000);
    expect(other.code).toBe(1);
    expect(other.err).toContain('bench data');
  });

  test.each([
    ['from the beginning', '0', '4000'],
    ['in the middle', '9000', '12000'],
    ['at the end', '17000', '20000'],
  ])('a range %s is exported and verifies against the root', async (_where, from, to) => {
    const bundle = path.join(folder, `${from}.json`);
    const exported = await runCli(env(), 'export', '--from', from, '--to', to, '--withhold', '--out', bundle);
    expect(exported).toMatchObject({ code: 0 });
    const shown = await runCli(env(), 'trust', 'show', '--json');
    const { trust_root } = JSON.parse(shown.out) as { trust_root: { fingerprint: string } };
    const verified = await runCli({}, 'verify', bundle, '--root', trust_root.fingerprint);
    expect({ code: verified.code, said: `${verified.out}${verified.err}` }).toMatchObject({ code: 0, said: expect.stringMatching(/verified/i) });
  }, within);

  test('refuses a state directory in which anything else lies', async () => {
    const strange = path.join(folder, 'strange');
    fs.mkdirSync(strange);
    fs.writeFileSync(path.join(strange, 'notes.txt'), 'mine');
    const { code, err } = await fill(receipts, strange);
    expect([code, err]).toEqual([1, expect.stringContaining('not empty')]);
  });

  test('refuses a database that has a workspace of somebody else', async () => {
    const client = new pg.Client({ connectionString: database.url });
    await client.connect();
    await client.query(`UPDATE "workspaces" SET "name" = 'default'`);
    const { code, err } = await fill(receipts, path.join(folder, 'new'));
    await client.query(`UPDATE "workspaces" SET "name" = 'bench-data'`);
    await client.end();
    expect([code, err]).toEqual([1, expect.stringContaining('workspace default')]);
  });
});
