import type { LoweringStatement } from '@/lib/approvals/lowering';
import { verifyLowering } from '@/lib/approvals/verify-lowering';
import { entryHash } from '@/lib/context/entry-hash';
import type { ContextEntry } from '@/lib/context/entry';
import { carriesLowered, isLowering } from '@/lib/context/label-ledger';
import { delegatedTo, keysOfRead, seenByFamily } from '@/lib/context/resources';
import type { LowerLabelInput, LoweredLabel } from '@/lib/contracts/console/labels';
import type { Viewer } from '@/lib/contracts/console/viewer';
import type { SessionRow } from '@/lib/ports/session-store';
import type { LockedHead, Tx } from '@/lib/ports/transaction';
import type { InForce } from '@/lib/services/in-force';
import { proveSession } from '@/lib/services/prove-session';
import { sessionStateAt } from '@/lib/services/session-state-at';
import { parseEnvelope, type Envelope } from '@/lib/shared/dsse';
import { fail, ok, type Result } from '@/lib/shared/result';

import type { ConsoleParts } from './console-parts';
import { registrantOf, signatoryContext, signedStatement } from './person-signature';
import { labelOrigins } from './session-labels';
import { signedNow } from './signed-now';

/** Looks at most this often: each new look is caused by somebody else's commit, so it ends. */
const looks = 5;

type Look = { readonly inForce: InForce; readonly row: SessionRow };

/**
 * Lowers a label of a session by an owner's signed statement. The session's chain gets a step, which the plane and every verifier
 * check by that signature; what is deferred in the session is decided again. Failures: `not_found`, `session_closed`,
 * `session_expired`, `conflict` (the session went on, does not carry the label, or something that is out or another session carries
 * it), `ledger_broken`, and all of `verifyLowering`.
 */
export async function lowerLabel(parts: ConsoleParts, viewer: Viewer, input: LowerLabelInput): Promise<Result<LoweredLabel>> {
  const envelope = parseEnvelope(input.envelope);
  if (!envelope.ok) return envelope;
  for (let attempt = 0; attempt < looks; attempt++) {
    const look = await lookAt(parts, input, attempt > 0);
    if (!look.ok) {
      if (look.error.code === 'conflict' && look.error.fix === undefined) continue;
      return look;
    }
    // Judged once outside, so that garbage never takes the lock.
    const early = await judge(parts, viewer, envelope.value, look.value, await parts.reads.now());
    if (!early.ok) return early;
    const lasting = await wouldLast(parts, look.value.row, early.value);
    if (!lasting.ok) return lasting;
    const outcome = await parts.transactor.withHead((tx, head) => lower(parts, viewer, envelope.value, look.value, tx, head));
    if (outcome !== 'look again') return outcome;
  }
  return fail('unavailable', 'Too much is changing at once. Nothing was lowered.', { fix: 'Look again, and sign again.' });
}

async function lookAt(parts: ConsoleParts, { session: id }: LowerLabelInput, fresh: boolean): Promise<Result<Look>> {
  const row = (await parts.sessions.find([id])).get(id);
  if (!row) return fail('not_found', 'There is no such session.');
  const inForce = await (fresh ? parts.inForce.refresh() : parts.inForce.current());
  const entries = (await parts.sessions.entries(id, 0)).filter(({ seq }) => seq <= row.seq);
  const proven = await proveSession({ ...parts, reader: parts.log }, inForce, row, entries);
  return proven.ok ? ok({ inForce, row }) : proven;
}

async function judge(parts: ConsoleParts, viewer: Viewer, envelope: Envelope, { inForce, row }: Look, now: string, tx?: Tx): Promise<Result<LoweringStatement>> {
  const context = await signatoryContext(parts, inForce, viewer, 'critical', tx);
  if (!context.ok) return context;
  const lowering = await verifyLowering(envelope, { ...context.value, session: row, registeredBy: registrantOf(inForce, row.agent) });
  if (!lowering.ok) return lowering;
  const fresh = signedNow(lowering.value.signed_at, now);
  if (!fresh.ok) return fresh;
  const state = sessionStateAt(row, inForce.policy?.compiled ?? null, now);
  if (state !== 'open') return fail(state === 'closed' ? 'session_closed' : 'session_expired', `Session ${row.id} is ${state}.`);
  return lowering;
}

/** A lowering that something would undo at once is refused, so that nobody believes in it. */
async function wouldLast(parts: ConsoleParts, row: SessionRow, { label, to }: LoweringStatement): Promise<Result<null>> {
  if (!isLowering(label, to)) return fail('invalid_input', `${label} does not become lower as ${to ?? 'nothing'}: a level becomes a lower level, a tag goes.`);
  const found = (await labelOrigins(parts.sessions, row.id)).current().find((one) => one.label === label);
  if (!found) return fail('conflict', `The session does not carry ${label}.`, { fix: 'Look at it as it is now.' });
  if (found.open) return fail('conflict', `An action that was permitted and has not reported yet carries ${label}.`, { fix: 'Wait for its outcome.' });
  const root = await familyRoot(parts, row);
  const kept = await parts.sessions.written([seenByFamily(root), delegatedTo(row.id)].flatMap(keysOfRead));
  if (carriesLowered(kept.flatMap(({ labels }) => labels), label)) {
    return fail('conflict', `Sessions that it handed work on to, or that stand above it, have seen ${label}; a family’s labels reach all of it.`, { fix: 'Open a new session for what is left to do.' });
  }
  return ok(null);
}

async function familyRoot(parts: ConsoleParts, row: SessionRow): Promise<SessionRow['id']> {
  let at = row;
  while (at.parent !== null) {
    const above = (await parts.sessions.find([at.parent])).get(at.parent);
    if (!above) return at.parent;
    at = above;
  }
  return at.id;
}

async function lower(parts: ConsoleParts, viewer: Viewer, envelope: Envelope, look: Look, tx: Tx, head: LockedHead): Promise<Result<LoweredLabel> | 'look again'> {
  const row = (await parts.sessions.find([look.row.id], tx)).get(look.row.id);
  if (!row) return fail('not_found', 'There is no such session.');
  if (head.epoch !== look.inForce.epoch) return 'look again';
  // INVARIANT: the row judged here is the one that was proved: its head has not moved, or the statement is stale.
  const judged = await judge(parts, viewer, envelope, { inForce: look.inForce, row }, head.now, tx);
  if (!judged.ok) return judged;
  const { label, to, reason, signer } = judged.value;
  const { sha256 } = parts.cryptography;
  const statement = signedStatement(sha256, envelope, signer);
  if (!statement.ok) return statement;
  const entry: ContextEntry = { kind: 'lowering', at: head.now, label, to, person: viewer.person, statement: statement.value.digest };
  const seq = row.seq + 1;
  const hash = entryHash(sha256, row.head, entry, seq);
  const receipt = await parts.sign(
    'label_lowered',
    head.now,
    { session: row.id, label, to, person: viewer.person, reason, statement: statement.value, context_head: hash, context_seq: seq },
    { session: row.id, agent: row.agent, person: viewer.person, labels: [label] },
  );
  await parts.ledger.append(tx, [receipt]);
  await parts.sessions.addEntries(tx, [{ session: row.id, seq, hash, entry }]);
  await parts.sessions.moveHeads(tx, [{ session: row.id, from: row.head, to: hash, seq, at: head.now }]);
  await parts.sessions.lookAgain(tx, row.id, head.now);
  await parts.events.publish(tx, [{ kind: 'session_changed', id: row.id }, { kind: 'log_grew', id: parts.workspace }]);
  return ok({ receipt: receipt.id, label, to });
}
