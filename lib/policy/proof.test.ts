import { describe, expect, it } from 'vitest';

import { nodeSha256 } from '@/lib/testing/node-crypto';
import { utf8 } from '@/lib/shared/encoding';

import { classOf, parseProof, proofBytes, proofDigest, type PolicyProof } from './proof';

const digest = 'a'.repeat(64) as PolicyProof['digest'];

const proof: PolicyProof = {
  schema: 'countersign/policy-proof/v1', base_digest: digest, digest, change: 'loosen', method: 'classes/2',
  comparison: {
    change: 'loosen', further: 0, unproved: [], method: 'classes/2', exhaustive: true, counted: { classes: 2, operations: 1, unchanged_operations: 40 },
    changes: [{
      of: 'decision', agents: 'every agent', tool: 'email', operation: 'send', where: ['parameters.to is "a@b.example"'],
      from: { decision: 'DENY', obligations: [], grant: false }, to: { decision: 'ALLOW', obligations: [], grant: false }, differences: ['DENY → ALLOW'], effects: ['loosens'], classes: 2,
      witness: { action: { tool: 'email', operation: 'send', parameters: { to: 'a@b.example' } }, snapshot: {}, now: '2030-06-03T12:00:00.000Z' },
    }],
  },
  tests: { passed: 3, failed: 0 }, lint: { errors: 0, warnings: 1 }, open: [],
};

describe('a proof of a policy change', () => {
  it('is read back as it was written', () => {
    const read = parseProof(proofBytes(proof));
    expect(read).toEqual({ ok: true, value: proof });
  });

  it('has another digest when one thing in it is another', () => {
    const other = { ...proof, tests: { passed: 3, failed: 1 } };
    expect(proofDigest(other, nodeSha256)).not.toBe(proofDigest(proof, nodeSha256));
  });

  it('is refused where it is not canonical, says more than it may, or names no class', () => {
    const text = new TextDecoder().decode(proofBytes(proof));
    expect(parseProof(utf8(` ${text}`)).ok).toBe(false);
    expect(parseProof(proofBytes({ ...proof, note: 'fine' } as PolicyProof)).ok).toBe(false);
    expect(parseProof(utf8(text.replace('"change":"loosen","comparison"', '"change":"none","comparison"'))).ok).toBe(false);
  });

  it('asks for what tightening asks for where both texts decide the same', () => {
    expect(classOf({ change: 'none' })).toBe('tighten');
    expect(classOf({ change: 'not_proved' })).toBe('not_proved');
  });
});
