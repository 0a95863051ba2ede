import fs from 'node:fs';
import path from 'node:path';

import { beforeAll, describe, expect, it } from 'vitest';

import { everyKindFile, expectedOf, ledgerVectors, vectorsText, type LedgerVector } from '@/lib/testing/ledger-vectors';

const folder = path.resolve(import.meta.dirname, 'fixtures');
const read = (name: string): Uint8Array => new Uint8Array(fs.readFileSync(path.join(folder, name)));
const committed = JSON.parse(fs.readFileSync(path.join(folder, 'vectors.json'), 'utf8')) as readonly LedgerVector[];

describe('the published test vectors', () => {
  let made: Awaited<ReturnType<typeof ledgerVectors>>;
  beforeAll(async () => {
    made = await ledgerVectors();
  });

  it.each(committed)('$file comes to what is published: $what', async ({ file, root, verdict, exit, failing, unknown }) => {
    expect(await expectedOf(read(file), root)).toEqual({ verdict, exit, failing, unknown });
  });

  it('are made again byte by byte (else: npx tsx lib/testing/write-ledger-vectors.ts)', () => {
    // What happens in the one of every kind follows from engine and catalogue too, which say by their versions when they change.
    const names = [...made.files.keys()].filter((name) => name !== everyKindFile);
    expect(names.filter((name) => Buffer.compare(read(name), made.files.get(name) ?? new Uint8Array()) !== 0)).toEqual([]);
    expect(fs.readdirSync(folder).sort()).toEqual([...made.files.keys(), 'vectors.json'].sort());
  });

  it('state no case that the files do not', () => {
    const stable = (cases: readonly LedgerVector[]) => vectorsText(cases.filter(({ file }) => file !== everyKindFile));
    expect(stable(committed)).toBe(stable(made.cases));
  });

  it('hold a sound one of every kind of verdict, and one for each thing that can be tampered with', () => {
    expect(new Set(committed.map(({ exit }) => exit))).toEqual(new Set([0, 1, 2, 3]));
    expect(committed.filter(({ verdict }) => verdict === 'failed').length).toBeGreaterThan(10);
  });
});
