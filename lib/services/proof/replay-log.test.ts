import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';

import { policyFrom, policyText } from '@/lib/testing/engine-fixtures';
import { ReplayableLog } from '@/lib/testing/replayable-log';

import { replayLog, type ReplayLog } from './replay-log';

const asks = policyFrom(policyText('  - { id: look, match: { tool: [files, email] }, action: STEP_UP, approvers: [approver], reason: A person looks. }\n'));
const lets = policyFrom(policyText('  - { id: look, match: { tool: [files, email] }, action: STEP_UP, approvers: [approver], reason: A person looks. }\n  - { id: let, match: { tool: files, operation: write }, action: ALLOW, priority: 900, reason: Files are free. }\n'));
const ends = ['approved', 'denied', 'expired'] as const;

const log = new ReplayableLog();
beforeAll(async () => {
  for (let at = 0; at < 9; at += 1) {
    const { approval } = await (at % 3 === 0 ? log.decide(asks, 'writer', 'email.send', { to: 'bob@corp.example', body: `Hello ${String(at)}.` }) : log.decide(asks, 'writer', 'files.write', { path: `reports/${String(at)}.md`, content: 'x' }));
    const end = ends[at % 3];
    if (approval !== null && end && at % 4 !== 0) await log.resolve(approval, end);
  }
});

const replayed = (changes: Partial<ReplayLog> = {}) => replayLog({ ...log.parts, ...changes }, log.range, { base: asks, proposed: lets });

describe('replay, page by page', () => {
  it('gives the same table whatever the pages are', async () => {
    const whole = await replayed();
    expect(whole).toMatchObject({ ok: true, value: { replayed: 9, changed: 6, newly_allowed: 6, not_replayed: [] } });
    await fc.assert(fc.asyncProperty(fc.integer({ min: 1, max: 20 }), async (rowsAtOnce) => {
      expect(await replayed({ rowsAtOnce })).toEqual(whole);
    }), { numRuns: 20 });
  });

  it('finds a receipt that is missing, or stands in the place of another, on any page and between any two', async () => {
    const { leaves } = log.parts.log;
    await fc.assert(fc.asyncProperty(fc.integer({ min: 1, max: 20 }), fc.nat({ max: log.range.to - 2 }), fc.boolean(), async (rowsAtOnce, at, isMissing) => {
      const [other] = await leaves(BigInt(at + 1), BigInt(at + 2), 1);
      const changed: typeof leaves = async (from, to, limit) =>
        (await leaves(from, to, limit)).flatMap((leaf) => (leaf.index !== BigInt(at) ? [leaf] : isMissing ? [] : [{ ...leaf, envelope: other?.envelope ?? '' }]));
      expect(await replayed({ rowsAtOnce, log: { ...log.parts.log, leaves: changed } })).toMatchObject({ ok: false, error: { code: 'ledger_broken' } });
    }), { numRuns: 40 });
  });

  it('takes no decision from contents that are not what their digest covers, whether they can be read or not', async () => {
    for (const body of ['{}', 'no JSON', '']) {
      const content: ReplayLog['content'] = { texts: async (digests) => new Map([...(await log.parts.content.texts(digests))].map(([digest, item]) => [digest, { ...item, body }])) };
      expect(await replayed({ content })).toMatchObject({ ok: true, value: { replayed: 0, changed: 0, not_replayed: [{ why: 'altered', count: 9 }] } });
    }
    expect(await replayed({ content: { texts: async () => new Map() } })).toMatchObject({ ok: true, value: { replayed: 0, not_replayed: [{ why: 'erased', count: 9 }] } });
  });
});
