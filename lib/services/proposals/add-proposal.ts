import { isLive } from '@/lib/authority/proposal';
import type { RevisionReference } from '@/lib/authority/policy-revision';
import type { Actor } from '@/lib/ledger/predicates/fields';
import type { SignedReceipt } from '@/lib/ports/ledger-store';
import type { ListedProposal, ProposedRow } from '@/lib/ports/proposal-store';
import type { Tx } from '@/lib/ports/transaction';
import { freshContent } from '@/lib/services/action-content';
import { later } from '@/lib/services/later';
import type { Envelope } from '@/lib/shared/dsse';
import { digestOf, utf8 } from '@/lib/shared/encoding';
import type { Digest, PersonId, ProposalId, SessionId } from '@/lib/shared/ids';
import { fail, ok, type Result } from '@/lib/shared/result';

import { restingProposals } from './outdate-proposals';
import { proposalBounds } from './proposal-bounds';
import type { ProposalParts } from './proposal-parts';
import type { SelfEvident } from './proposal-target';
import { proposalTarget } from './proposal-targets';

/** What somebody asks for, once it is known who. */
export type AskedProposal = Pick<ProposedRow, 'target' | 'origin' | 'text' | 'format'> & {
  readonly id: ProposalId;
  readonly base: RevisionReference | null;
  readonly reason: string | null;
  readonly by: Actor;
  readonly notCounted: readonly PersonId[];
  readonly rebasedFrom?: ProposalId;
  readonly session?: SessionId;
  readonly envelope?: Envelope;
  /** Cases of `*.test.yaml` that come with it. */
  readonly tests?: string;
  /** Whether a proposal that waits already stands for this one, though its text is another. */
  readonly isAlike?: (waiting: ListedProposal) => boolean;
};

export type MadeProposal = { readonly id: ProposalId; readonly digest: Digest; readonly receipt: string; readonly at: string };

/**
 * Writes a proposal down under the head lock, with its receipt; `besides` gives further receipts of the same moment. Failures:
 * `policy_invalid` with its places, `policy_base_changed` (written on what is not in force), `conflict` (asks for what is there, or what is
 * proposed already), `rate_limited`, `already_resolved` (of the proposal that it replaces).
 */
export async function addProposal(parts: ProposalParts, asked: AskedProposal, besides?: (at: string) => Promise<readonly SignedReceipt[]>): Promise<Result<MadeProposal>> {
  const { sha256 } = parts.cryptography;
  const target = proposalTarget(asked.target);
  if (!target.ok) return target;
  const checked = target.value.check(parts, asked);
  if (!checked.ok) return checked;
  const digest = digestOf(sha256, utf8(asked.text));
  if (digest === asked.base?.digest) return fail('conflict', 'It asks for exactly the text that it was written on.');
  const text = freshContent(sha256, parts.ids.salt(), { text: asked.text });
  const reason = asked.reason === null ? null : freshContent(sha256, parts.ids.salt(), { reason: asked.reason });
  const seen = await parts.inForce.refresh();
  const inForce = target.value.base(seen);
  const evident = target.value.provesItself?.(parts, asked);
  if (evident?.ok === false) return evident;

  return await parts.transactor.withHead(async (tx, { now }): Promise<Result<MadeProposal>> => {
    const room = await hasRoom(parts, tx, asked, digest, inForce, now);
    if (!room.ok) return room;
    const stands = target.value.stands?.(parts, asked, seen, now);
    if (stands?.ok === false) return stands;
    const { id, by, base, session, rebasedFrom, envelope, notCounted } = asked;
    const receipt = await parts.sign(
      'policy_proposed',
      now,
      {
        proposal: id, target: asked.target, base, digest, text_digest: text.digest, origin: asked.origin, by,
        ...(reason === null ? {} : { reason_digest: reason.digest }), ...(rebasedFrom === undefined ? {} : { rebased_from: rebasedFrom }),
        ...(session === undefined ? {} : { session }), ...(notCounted.length === 0 ? {} : { not_counted: [...notCounted].sort() }), ...(envelope === undefined ? {} : { envelope }),
      },
      { ...(by.kind === 'agent' ? { agent: by.id } : by.kind === 'person' ? { person: by.id } : {}), ...(session === undefined ? {} : { session }) },
    );
    await parts.content.add(tx, reason === null ? [text] : [text, reason]);
    await parts.proposals.add(tx, {
      id, target: asked.target, origin: asked.origin, maker_kind: by.kind, maker_id: by.id, session: session ?? null, base_revision: base?.revision ?? null,
      base_digest: base?.digest ?? null, digest, text: asked.text, format: asked.format, text_digest: text.digest, reason: asked.reason, rebased_from: rebasedFrom ?? null,
      proposed_at: now, proposed_receipt: receipt.id,
    });
    if (asked.tests !== undefined) await parts.policyTests.add(tx, id, asked.tests);
    const proofs = evident ? [await prove(parts, tx, { id, digest, baseDigest: base?.digest ?? null }, evident.value, now)] : [];
    const replaced = rebasedFrom === undefined ? [] : await replace(parts, tx, rebasedFrom, id, by, now, inForce);
    await parts.ledger.append(tx, [receipt, ...proofs, ...replaced, ...(besides ? await besides(now) : [])]);
    await parts.events.publish(tx, [{ kind: 'proposal_changed', id }, { kind: 'log_grew', id: parts.workspace }]);
    return ok({ id, digest, receipt: receipt.id, at: now });
  });
}

/** In the commit that makes it, because there is nothing to search. */
async function prove(parts: ProposalParts, tx: Tx, { id, digest, baseDigest }: { readonly id: ProposalId; readonly digest: Digest; readonly baseDigest: Digest | null }, { change, method, open, content }: SelfEvident, now: string): Promise<SignedReceipt> {
  const item = freshContent(parts.cryptography.sha256, parts.ids.salt(), content);
  const receipt = await parts.sign(
    'policy_proved', now,
    { proposal: id, base_digest: baseDigest, digest, change, proof_digest: item.digest, method, tests: { passed: 0, failed: 0 }, lint: { errors: 0, warnings: 0 }, open: [...open], applicable: true },
    {},
  );
  await parts.content.add(tx, [item]);
  if (!(await parts.proposals.prove(tx, id, null, { change, proof_digest: item.digest, applicable: true, proved_at: now, proved_receipt: receipt.id }))) {
    throw new Error(`Proposal ${id} was made in this transaction and cannot be proved in it.`);
  }
  return receipt;
}

async function hasRoom(parts: ProposalParts, tx: Tx, { base, by, rebasedFrom, target, isAlike }: AskedProposal, digest: Digest, inForce: RevisionReference | null, now: string): Promise<Result<null>> {
  const { live, live_of_maker: own, made_since: lately } = await parts.proposals.count(by.id, later(now, -3600), tx);
  // What replaces another one makes no more of them.
  if (live >= 2 * proposalBounds.live) return fail('rate_limited', `${live} proposals wait already.`, { fix: 'Wait until owners have decided.' });
  if (rebasedFrom === undefined && (live >= proposalBounds.live || own >= proposalBounds.liveOfMaker)) {
    return fail('rate_limited', own >= proposalBounds.liveOfMaker ? `${own} of your proposals wait already.` : `${live} proposals wait already.`, { fix: 'Withdraw one, or wait until owners have decided.' });
  }
  if (by.kind !== 'service' && lately >= proposalBounds.anHour) return fail('rate_limited', `${lately} were made within the hour.`, { fix: 'Wait a while.' });
  const waiting = await parts.proposals.list('live', 2 * proposalBounds.live, tx);
  const same = waiting.find((one) => one.target === target && one.digest === digest && one.base_digest === (base?.digest ?? null) && one.id !== rebasedFrom);
  if (same) return fail('conflict', `Exactly this is proposed already, as ${same.id}.`, { fix: `Follow ${same.id}.` });
  const alike = isAlike && waiting.find(isAlike);
  if (alike) return fail('conflict', `Much the same is proposed already, as ${alike.id}.`, { fix: `Follow ${alike.id}.` });
  if (base?.digest === inForce?.digest && base?.revision === inForce?.revision) return ok(null);
  // A rebase may stand on a proposal that is to be applied before it.
  const resting = restingProposals(waiting, inForce);
  const below = rebasedFrom === undefined ? undefined : waiting.find((one) => resting.has(one.id) && one.digest === base?.digest && (one.base_revision ?? 0) + 1 === base.revision);
  if (below) return ok(null);
  const said = inForce === null ? 'nothing is in force' : `revision ${inForce.revision} with digest ${inForce.digest} is in force`;
  return fail('policy_base_changed', `It was written on ${base === null ? 'nothing' : `revision ${base.revision} with digest ${base.digest}`}, but ${said}.`, { fix: 'Write it on what is in force.' });
}

/**
 * What it was made from ends with it where its base has moved. One that still rests on what is in force stays: it was only put behind another,
 * and may yet be signed by itself.
 */
async function replace(parts: ProposalParts, tx: Tx, from: ProposalId, to: ProposalId, by: Actor, now: string, inForce: RevisionReference | null): Promise<readonly SignedReceipt[]> {
  const old = await parts.proposals.find(from, tx);
  if (!old || !isLive(old.state) || old.base_digest === (inForce?.digest ?? null)) return [];
  const receipt = await parts.sign('policy_rejected', now, { proposal: from, digest: old.digest, outcome: 'stale', replaced_by: to, by }, by.kind === 'person' ? { person: by.id } : {});
  await parts.proposals.move(tx, from, old.state, 'stale', { ended_at: now, ended_by: by.id, ended_reason: null, ended_receipt: receipt.id, revision: null, replaced_by: to });
  return [receipt];
}
