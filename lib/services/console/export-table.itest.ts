import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { mostCsvRows } from '@/lib/contracts/console/receipts-csv';
import { readStatement } from '@/lib/ledger/statement';
import { parseEnvelope } from '@/lib/shared/dsse';
import { toHex } from '@/lib/shared/encoding';
import { testConsole, valueOf } from '@/lib/testing/console-fixture';
import { aReceipt } from '@/lib/testing/row-builders';
import { openTestStores, type TestStores } from '@/lib/testing/test-stores';

import type { ConsoleParts } from './console-parts';
import { exportTable } from './export-table';

let database: TestStores;
let stateDirectory: string;
let parts: ConsoleParts;
let close: () => Promise<void>;

const by = { kind: 'person', id: 'per_0123456789abcdefghij' } as const;
/** More than one page of what is read at a time. */
const many = 1_200;

beforeAll(async () => {
  database = await openTestStores();
  stateDirectory = await mkdtemp(path.join(os.tmpdir(), 'countersign-table-'));
  ({ parts, close } = await testConsole({ databaseUrl: database.url, workspace: database.workspace, stateDirectory }));
  await parts.transactor.withHead(async (tx) => {
    await parts.ledger.append(tx, await Promise.all(Array.from({ length: many }, (_, n) => aReceipt(database.workspace, { tool: 'mail', operation: 'send', agent: n % 2 === 0 ? 'clerk' : 'ops' }))));
    await parts.ledger.append(tx, [await aReceipt(database.workspace, { tool: '=HYPERLINK("https://x.example")', operation: '@SUM(A1)', agent: '+49', person: '-1', labels: ['a,b'] })]);
  });
});
afterAll(async () => {
  await close();
  await database.close();
  await rm(stateDirectory, { recursive: true, force: true });
});

async function linesOf(filters: Parameters<typeof exportTable>[2]): Promise<readonly string[]> {
  let text = '';
  for await (const part of valueOf(await exportTable(parts, by, filters)).lines) text += part;
  return text.replace(/^\ufeff/, '').trimEnd().split('\r\n');
}

describe('the table of receipts', () => {
  it('has every receipt that matches once, newest first, page behind page', async () => {
    const [head, ...lines] = await linesOf({ agent: 'clerk' });
    expect(head?.split(',')[0]).toBe('index');
    const indexes = lines.map((line) => Number(line.split(',')[0]));
    expect(indexes).toEqual(Array.from({ length: many / 2 }, (_, n) => many - 2 - 2 * n));
    const first = await parts.log.byIndex(0n);
    expect(lines.at(-1)?.endsWith(`,${toHex(first?.leaf_hash ?? new Uint8Array())}`)).toBe(true);
  });

  it('holds nothing that a spreadsheet would run', async () => {
    const line = (await linesOf({ person: '-1' }))[1] ?? '';
    expect(line).toContain(`"'=HYPERLINK(""https://x.example"")","'@SUM(A1)","'+49","'-1"`);
    expect(line).toContain('"a,b"');
  });

  it('leaves a receipt that says who took what, written before the first line leaves', async () => {
    const before = (await parts.log.head()).size;
    const table = valueOf(await exportTable(parts, by, { agent: 'ops', span: 'month' }));
    const row = await parts.log.byIndex(before);
    expect(row).toMatchObject({ kind: 'export_made', person: by.id });
    const body = valueOf(readStatement(parts.cryptography.sha256, valueOf(parseEnvelope(row?.envelope ?? ''))));
    expect(body.predicate).toMatchObject({ by, format: 'csv', filters: 'agent=ops&span=month', from: 0, to: Number(before), withheld: true });
    await table.lines.return();
  });

  it('leaves out what was appended since, its own receipt included', async () => {
    const table = valueOf(await exportTable(parts, by, {}));
    let text = '';
    for await (const part of table.lines) text += part;
    const size = (await parts.log.head()).size;
    expect(text).not.toContain(`\r\n${String(size - 1n)},`);
    expect(text).toContain(`\r\n${String(size - 2n)},`);
  });

  it('is refused when more match than one table holds, and then leaves no receipt', async () => {
    const crowded = { ...parts, log: { ...parts.log, count: async () => ({ count: mostCsvRows + 1, exact: false }) } };
    const before = (await parts.log.head()).size;
    expect(await exportTable(crowded, by, {})).toMatchObject({ ok: false, error: { code: 'too_large' } });
    expect((await parts.log.head()).size).toBe(before);
  });
});
