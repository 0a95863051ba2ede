import fs from 'node:fs';
import path from 'node:path';

import { describe, expect, test } from 'vitest';

const root = path.resolve(import.meta.dirname, '../..');
const handed = path.resolve(root, '../shared/cases/reported-faults.jsonl');

type Row = { readonly id: string; readonly file: string | null; readonly title: string };

/** The table's rows: id, and the test that covers it or why none can. */
const rows: readonly Row[] = fs
  .readFileSync(path.join(root, 'policies/cases/README.md'), 'utf8')
  .split('\n')
  .flatMap((line): Row[] => {
    const cells = /^\| ([a-z0-9-]+) \| [^|]+ \| (.+) \|$/.exec(line);
    if (!cells || cells[1] === 'id' || cells[1] === '---') return [];
    const covered = /^`([^`]+)`: (.+)$/.exec(cells[2] ?? '');
    return [{ id: cells[1] ?? '', file: covered?.[1] ?? null, title: covered?.[2] ?? cells[2] ?? '' }];
  });

describe('the table of reported faults', () => {
  test('has each id once', () => {
    expect(rows.length).toBeGreaterThan(0);
    expect(new Set(rows.map(({ id }) => id)).size).toBe(rows.length);
  });

  test('names only tests that are there', () => {
    const missing = rows.filter(({ file, title }) => file !== null && !(fs.existsSync(path.join(root, file)) && fs.readFileSync(path.join(root, file), 'utf8').includes(title)));
    expect(missing).toEqual([]);
  });

  test('says why, where there is no test', () => {
    expect(rows.filter(({ file, title }) => file === null && !/^cannot apply: .{20,}/.test(title))).toEqual([]);
  });

  test.skipIf(!fs.existsSync(handed))('has every id of the handed file (skipped without ../shared/cases)', () => {
    const ids = fs.readFileSync(handed, 'utf8').trim().split('\n').map((line) => idOf(JSON.parse(line)));
    expect(rows.map(({ id }) => id).sort()).toEqual(ids.sort());
  });
});

function idOf(row: unknown): string {
  if (typeof row === 'object' && row !== null && 'id' in row && typeof row.id === 'string') return row.id;
  throw new Error('A row of the handed file has no id.');
}
