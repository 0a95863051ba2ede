import { describe, expect, it } from 'vitest';

import { heldDeletion } from '@/lib/testing/held-actions';
import { approvedAction, beginStory, session, type HeldChanges } from '@/lib/testing/ledger-story';
import { nodeSha256 as sha256, nodeVerifySignature as verifySignature } from '@/lib/testing/node-crypto';
import { digestOf, utf8 } from '@/lib/shared/encoding';

import { ofKind } from './parse-entries';
import { redrawVote } from './redraw-vote';
import { examineBundle } from './verify-bundle';

async function redrawn(changes: HeldChanges, choice: { readonly withhold?: boolean } = {}) {
  const ledger = await beginStory();
  await approvedAction(ledger, 1, 1, { held: (approval, action_id) => heldDeletion({ approval, action_id, session }), ...changes });
  await ledger.checkpoint();
  const { examined } = await examineBundle(await ledger.bytes(choice), { sha256, verifySignature });
  if (!examined) throw new Error('unreadable');
  const [vote] = ofKind(examined.entries, 'approval_voted');
  const [request] = ofKind(examined.entries, 'approval_requested');
  if (!vote || !request) throw new Error('The story has no vote.');
  return { vote: redrawVote(vote.predicate, examined.entries, examined.bundle, sha256), request: redrawVote(request.predicate, examined.entries, examined.bundle, sha256) };
}

const other = digestOf(sha256, utf8('another screen'));

describe('the approver’s screen', () => {
  it('is drawn again with the digest that the vote covers', async () => {
    const { vote } = await redrawn({});
    expect(vote).toMatchObject({ state: 'same', held: { action: { tool: 'database' } }, statement: { verdict: 'approve' } });
  });

  it('of a vote on another screen differs, and is shown all the same', async () => {
    const { vote } = await redrawn({ statement: { view: { digest: other, renderer: 'countersign-view/1', locale: 'en' } } });
    expect(vote.state).toBe('differs');
    expect(vote.held).not.toBeNull();
  });

  it('of another renderer is not compared', async () => {
    const { vote } = await redrawn({ statement: { view: { digest: other, renderer: 'countersign-view/9', locale: 'en' } } });
    expect(vote).toMatchObject({ state: 'unknown', why: expect.stringContaining('countersign-view/9') });
  });

  it('cannot be drawn from what is withheld, and that is said', async () => {
    expect((await redrawn({}, { withhold: true })).vote).toMatchObject({ state: 'unknown', held: null, why: 'What was held is withheld.' });
  });

  it('of a request is drawn without a claim about a signature', async () => {
    expect((await redrawn({})).request.state).toBe('unsigned');
  });
});
