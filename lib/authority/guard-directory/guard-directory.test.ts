import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { nodeSha256 } from '@/lib/server/node-sha256';
import { fromUtf8, utf8 } from '@/lib/shared/encoding';
import type { Digest } from '@/lib/shared/ids';
import type { Json } from '@/lib/shared/json';

import { applyGuardProposal } from './apply-guard-proposal';
import { firstAllowlist, isPermitted, readGuardAllowlist, type GuardAllowlist } from './guard-allowlist';
import { pastAllowlistFile } from './guard-files';
import { makeGuardProposal, readGuardProposal, type GuardProposal } from './guard-proposal';
import { appliedReceipt, readGuardReceipt, rejectedReceipt } from './guard-receipt';
import { compareCodePoints, sortedJson, sortedJsonBytes } from './sorted-json';

const at = '2026-01-31T09:05:00.000Z';
const value = <T>(result: { readonly ok: true; readonly value: T } | { readonly ok: false; readonly error: unknown }): T => {
  if (!result.ok) throw new Error(JSON.stringify(result.error));
  return result.value;
};
const first = (): GuardAllowlist => value(readGuardAllowlist(firstAllowlist(1000, 1001, at), nodeSha256));
const proposal = (on: GuardAllowlist, permission: string, reason = 'a reason'): GuardProposal => value(readGuardProposal(value(makeGuardProposal(on, permission, reason, at)), nodeSha256));
const altered = (change: Record<string, Json>, of = first()) => readGuardAllowlist(sortedJsonBytes({ ...of.document, ...change }), nodeSha256);

describe('the text of a document', () => {
  test('has sorted keys, two spaces a level and a line end', () => {
    expect(sortedJson({ b: [1, 'x'], a: { d: null, c: true }, list: [], object: {} })).toBe(
      '{\n  "a": {\n    "c": true,\n    "d": null\n  },\n  "b": [\n    1,\n    "x"\n  ],\n  "list": [],\n  "object": {}\n}\n',
    );
  });

  test('orders keys by code point, also those that look like numbers and those beyond U+FFFF', () => {
    expect([...sortedJson({ '10': 1, '9': 1, '\u{1F600}': 1, '\uE000': 1, a: 1 }).matchAll(/"(.*?)":/g)].map(([, key]) => key)).toEqual(['10', '9', 'a', '\uE000', '\u{1F600}']);
  });

  test('orders any two texts as their UTF-8 bytes', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), (a, b) => {
      expect(Math.sign(compareCodePoints(a, b))).toBe(Math.sign(Buffer.compare(Buffer.from(a), Buffer.from(b))));
    }));
  });

  test('means what it was made of', () => {
    fc.assert(fc.property(fc.jsonValue({ stringUnit: 'binary' }), (json) => {
      expect(JSON.parse(sortedJson(json as Json))).toEqual(JSON.parse(JSON.stringify(json)));
    }));
  });
});

describe('an allowlist', () => {
  test('allows exactly what stands in it', () => {
    expect(isPermitted(first(), 'inspect-status')).toBe(true);
    for (const other of ['', 'inspect', 'inspect-status ', 'Inspect-Status', 'inspect-status\u0000', '*', 'toString']) expect(isPermitted(first(), other)).toBe(false);
  });

  test.each<[string, Record<string, Json>]>([
    ['another form', { schema: 'self-modification-refusing-guard/v2' }],
    ['one user as owner and agent', { owner_uid: 1001 }],
    ['a revision that is no number', { revision: '1' }],
    ['a revision below 1', { revision: 0 }],
    ['an empty permission', { allowlist: [''] }],
    ['a permission that is no text', { allowlist: ['a', 1] }],
    ['a user id beyond all', { agent_uid: 4_294_967_295 }],
  ])('is refused with %s', (_what, change) => {
    expect(altered(change).ok).toBe(false);
  });

  test.each([['half of it', -10], ['a key twice', 0]])('is refused as %s', (what, end) => {
    const text = fromUtf8(first().bytes) ?? '';
    const bytes = utf8(what === 'a key twice' ? text.replace('{', '{"revision": 9,') : text.slice(0, end));
    expect(readGuardAllowlist(bytes, nodeSha256).ok).toBe(false);
  });
});

describe('applying a proposal', () => {
  test('adds the permission in order, raises the revision, names the proposal, and keeps every other member', () => {
    const before = value(altered({ also: { kept: [1, 2] } }));
    const asked = proposal(before, 'a-permission');
    const after = value(applyGuardProposal(before, asked, at, nodeSha256));
    expect(after.document).toEqual({ ...before.document, revision: 2, allowlist: ['a-permission', 'inspect-status'], applied_at: '2026-01-31T09:05:00+00:00', applied_proposal_sha256: asked.id });
    expect(after.bytes).toEqual(sortedJsonBytes(after.document));
  });

  test('is refused a second time, and for every other proposal on the same base', () => {
    const before = first();
    const asked = proposal(before, 'a');
    const after = value(applyGuardProposal(before, asked, at, nodeSha256));
    for (const again of [asked, proposal(before, 'b')]) expect(applyGuardProposal(after, again, at, nodeSha256)).toMatchObject({ ok: false, error: { code: 'policy_base_changed' } });
  });

  test('is refused on an allowlist with the same revision and other bytes', () => {
    const other = value(altered({ also: 1 }));
    expect(applyGuardProposal(other, proposal(first(), 'a'), at, nodeSha256)).toMatchObject({ ok: false, error: { code: 'policy_base_changed' } });
  });

  test('never allows anything but what the proposal names, whatever it names', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (permission) => {
      const before = first();
      const made = makeGuardProposal(before, permission, '', at);
      if (!made.ok) return;
      const after = value(applyGuardProposal(before, value(readGuardProposal(made.value, nodeSha256)), at, nodeSha256));
      expect([...after.permissions].sort()).toEqual([...before.permissions, permission].sort());
    }));
  });

  test('is refused when the allowlist would grow beyond what anybody reads', () => {
    const filled = (length: number) => altered({ allowlist: ['inspect-status', ...Array.from({ length: 5000 }, (_, at_) => `${'x'.repeat(length)}-${String(at_)}`)] });
    const long = value(filled(196));
    const spare = 1024 * 1024 - long.bytes.length;
    const longer = value(altered({ also: 'y'.repeat(spare - 100) }, long));
    expect(longer.bytes.length).toBeLessThanOrEqual(1024 * 1024);
    expect(applyGuardProposal(long, proposal(long, 'z'.repeat(200)), at, nodeSha256).ok).toBe(true);
    expect(applyGuardProposal(longer, proposal(longer, 'z'.repeat(200)), at, nodeSha256)).toMatchObject({ ok: false, error: { code: 'too_large' } });
  });
});

describe('a proposal', () => {
  test('is named by its bytes: one space more is another one', () => {
    const made = value(makeGuardProposal(first(), 'a', 'b', at));
    expect(value(readGuardProposal(made, nodeSha256)).id).not.toBe(value(readGuardProposal(utf8(`${fromUtf8(made) ?? ''} `), nodeSha256)).id);
  });

  test('is not made longer than anybody would read', () => {
    expect(makeGuardProposal(first(), 'a', 'b'.repeat(64 * 1024), at)).toMatchObject({ ok: false, error: { code: 'too_large' } });
  });

  test('is refused beyond 64 KiB', () => {
    const made = fromUtf8(value(makeGuardProposal(first(), 'a', 'b', at))) ?? '';
    expect(readGuardProposal(utf8(made.padEnd(64 * 1024)), nodeSha256).ok).toBe(true);
    expect(readGuardProposal(utf8(made.padEnd(64 * 1024 + 1)), nodeSha256)).toMatchObject({ ok: false, error: { code: 'too_large' } });
  });
});

describe('a receipt of a guard directory', () => {
  test('of an application is read back, and is the same whenever it is made', () => {
    const before = first();
    const asked = proposal(before, 'a');
    const after = value(applyGuardProposal(before, asked, at, nodeSha256));
    const receipt = appliedReceipt(asked.base.digest, after, asked);
    expect(value(readGuardReceipt(receipt))).toMatchObject({ result: 'APPLIED', proposal_sha256: asked.id, allowlist_sha256_before: before.digest, allowlist_sha256_after: after.digest, at: '2026-01-31T09:05:00+00:00' });
    expect(appliedReceipt(asked.base.digest, value(readGuardAllowlist(after.bytes, nodeSha256)), asked)).toEqual(receipt);
  });

  test('of a rejection is read back, and anything else is not', () => {
    const receipt = rejectedReceipt(first(), proposal(first(), 'a'), 'no', '2026-01-31T09:05:00+00:00');
    expect(value(readGuardReceipt(receipt))).toMatchObject({ result: 'REJECTED', reason: 'no' });
    expect(readGuardReceipt(utf8((fromUtf8(receipt) ?? '').replace('REJECTED', 'APPLIED'))).ok).toBe(false);
  });

  test('names earlier allowlists by revision and digest', () => {
    expect(pastAllowlistFile({ revision: 7, digest: 'd'.repeat(64) as Digest })).toBe(`allowlist-000007-${'d'.repeat(64)}.json`);
  });
});
