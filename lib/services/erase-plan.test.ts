import { beforeAll, describe, expect, it } from 'vitest';

import { readStatement } from '@/lib/ledger/statement';
import type { Digest } from '@/lib/shared/ids';
import { testId } from '@/lib/testing/ledger-builder';
import { allowedAction, approvedAction, beginStory, session } from '@/lib/testing/ledger-story';
import { nodeSha256 as sha256 } from '@/lib/testing/node-crypto';

import { erasePlan, type EraseTarget, type PlacedBody } from './erase-plan';

let bodies: readonly PlacedBody[];
const none = (): readonly Digest[] => [];

/** Two actions in one session: positions 4 to 6 the first, 7 to 13 the second, which people approved. */
beforeAll(async () => {
  const ledger = await beginStory();
  await allowedAction(ledger, 1, 1);
  await approvedAction(ledger, 2, 3);
  bodies = ledger.leaves.map(({ envelope, index }) => {
    const read = readStatement(sha256, envelope);
    if (!read.ok) throw new Error(read.error.detail);
    return { index, body: read.value };
  });
});

const digestsOf = (index: number): readonly (Digest | null | undefined)[] => {
  const { kind, predicate } = bodies[index]?.body ?? {};
  if (kind === 'action_decided') return [predicate?.action.digest, predicate?.snapshot_digest];
  return kind === 'outcome_reported' ? [predicate?.output_digest] : kind === 'session_opened' ? [predicate?.request_digest] : [];
};
const plan = (target: EraseTarget, sealed: (digest: Digest) => readonly Digest[] = none) => erasePlan(bodies, target, sealed);

describe('what has to go', () => {
  it('with a session is all that its receipts name, and the text of every step that they state', () => {
    const { contents, steps, actions, requests } = plan({ kind: 'sessions', sessions: [session] });
    for (const index of [3, 4, 6, 7, 13]) for (const digest of digestsOf(index)) expect(contents, String(index)).toContain(digest);
    expect(steps.map(({ seq }) => seq)).toEqual([1, 2, 3, 4, 5]);
    expect([...actions]).toEqual([testId('action', 1), testId('action', 2)]);
    expect([...requests]).toEqual([testId('approval', 2)]);
  });

  it('with an action are its own contents and steps, and the snapshots of what was decided later', () => {
    const { contents, steps, actions, requests } = plan({ kind: 'action', action: testId('action', 1) });
    const [, laterSnapshot] = digestsOf(7);
    expect([...contents].sort()).toEqual([...digestsOf(4), ...digestsOf(6), laterSnapshot].sort());
    expect(steps.map(({ seq }) => seq)).toEqual([2, 3]);
    expect([...actions]).toEqual([testId('action', 1)]);
    expect([...requests]).toEqual([testId('approval', 2)]);
  });

  it('with a last action is nothing of the one before', () => {
    const { contents } = plan({ kind: 'action', action: testId('action', 2) });
    for (const digest of [...digestsOf(4), ...digestsOf(6), ...digestsOf(3)]) expect(contents).not.toContain(digest);
  });

  it('with an output is the step that repeats it, and not the action', () => {
    const [output] = digestsOf(6);
    if (!output) throw new Error('The story’s first action has an output.');
    const { contents, steps, actions } = plan({ kind: 'content', digest: output });
    expect(contents).toContain(output);
    expect(contents).not.toContain(digestsOf(4)[0]);
    expect(steps.map(({ seq }) => seq)).toEqual([3]);
    expect([...actions]).toEqual([]);
  });

  it('with a sealed argument are the steps of the action that seals it, whose own text stays sealed', () => {
    const argument = 'a'.repeat(64) as Digest;
    const [action] = digestsOf(4);
    const { contents, steps, actions } = plan({ kind: 'content', digest: argument }, (digest) => (digest === action ? [argument] : []));
    expect(contents).toContain(argument);
    expect(contents).not.toContain(action);
    expect(steps.map(({ seq }) => seq)).toEqual([2, 3]);
    expect([...actions]).toEqual([testId('action', 1)]);
  });

  it('with what no receipt of the sessions names is nothing: it is another session’s, or nobody’s', () => {
    const digest = 'b'.repeat(64) as Digest;
    expect(plan({ kind: 'content', digest })).toEqual({ contents: new Set(), steps: [], actions: new Set(), requests: new Set() });
  });
});
