import { mostExtensions } from '@/lib/approvals/approval-machine';
import { mostQuestions } from '@/lib/approvals/asked-back';
import type { HeldAction } from '@/lib/approvals/held-action';
import { eligibleApprovers, routedGroups } from '@/lib/approvals/eligible-approvers';
import { neededQuorum } from '@/lib/approvals/needed-quorum';
import { lineOfRequests } from '@/lib/approvals/line-of-requests';
import { latestEnd } from '@/lib/approvals/pending-approval';
import { separationOf, whyBarred } from '@/lib/approvals/separation';
import { approvalView, viewDigest } from '@/lib/approvals/view';
import { allowedKeyKinds } from '@/lib/authority/key-kinds';
import type { Roster } from '@/lib/authority/roster';
import type { ApprovalDetail, VoteObstacle } from '@/lib/contracts/console/approvals';
import type { Viewer } from '@/lib/contracts/console/viewer';
import type { ApprovalRow, VoteRow } from '@/lib/ports/approval-store';
import type { LogRow } from '@/lib/ports/ledger-reader';
import { readStatement } from '@/lib/ledger/statement';
import { parseEnvelope } from '@/lib/shared/dsse';
import type { Sha256 } from '@/lib/shared/encoding';
import { normalEmail } from '@/lib/shared/email';
import type { ApprovalId } from '@/lib/shared/ids';
import { fail, ok, type Result } from '@/lib/shared/result';
import type { InForce } from '@/lib/services/in-force';
import { questionOf } from '@/lib/services/open-question';
import { editOf } from '@/lib/services/proven-edit';

import { basisMoved } from '../approval-basis-moved';
import { alreadyEdited, alreadyOver } from '../approval-look';
import { voteReceipts } from '../approval-receipts';
import type { ConsoleParts } from '../console-parts';
import { readHeld } from '../held-request';
import { receiptsOfAction } from '../receipts-of-action';
import { sessionLabels } from '../session-labels';
import { sightOf } from '../sight';

/** One request with all that is needed to judge it, and what this viewer may do. Failures: `not_found`, `ledger_broken`. */
export async function approvalDetail(parts: ConsoleParts, viewer: Viewer, id: ApprovalId): Promise<Result<ApprovalDetail>> {
  const row = (await parts.reads.maySeeApproval(sightOf(viewer), id)) ? await parts.approvals.find(id) : undefined;
  if (!row) return fail('not_found', 'There is no such request, or it is not routed to you.');
  const read = readHeld(row, parts.cryptography);
  if (!read.ok) return read;
  const held = read.value;
  const { sha256 } = parts.cryptography;
  const [inForce, now, votes, logged, actions, questions, newest] = await Promise.all([
    parts.inForce.current(),
    parts.reads.now(),
    parts.approvals.votes(id),
    receiptsOfAction(parts.log, row.action),
    parts.actions.find([row.action]),
    parts.approvals.questionsOf(row.action),
    parts.approvals.ofAction(row.action),
  ]);
  const action = actions.get(row.action);
  if (!action) return fail('ledger_broken', `The action of request ${id} is gone.`);
  const labels = row.state === 'pending' ? await sessionLabels(parts.sessions, row.session) : null;
  const roster = inForce.roster?.roster ?? null;
  const obstacle = obstacleFor(viewer, row, held, votes, inForce, labels, now);
  const kinds = inForce.root ? allowedKeyKinds(inForce.root.root, held.impact) : [];
  const open = row.state === 'pending' && now < row.expires_at;
  const mayStop = open && viewer.permissions.includes('approvals.decide') && routedGroups(viewer, row.approvers).length > 0;
  const deferral = questions.find((asked) => questionOf(asked)?.approval === id)?.id ?? null;
  const next = action.superseded_by === null ? undefined : (await parts.actions.find([action.superseded_by])).get(action.superseded_by);
  const after = next ? await parts.approvals.ofAction(next.id) : newest;
  const request = after === undefined || after.id === id ? null : after.id;
  const edit = row.state === 'pending' ? editOf(row) : null;
  const asked = row.approvers;
  const line = lineIn(logged, id, sha256);
  const extensions = line.extensions.flatMap(({ approval, person, at, expires_at }) => (approval === id ? [{ by_name: nameOf(person, roster), at, expires_at }] : []));
  const ends_by = latestEnd(line.first ?? held, action.proposed_at);
  const couldApprove = obstacle === null || obstacle.code === 'already_voted';
  return ok({
    id,
    state: row.state,
    held,
    basis_digest: row.basis_digest,
    view_digest: viewDigest(approvalView(held), sha256),
    quorum: { needed: neededQuorum(held), given: votes.filter(({ verdict }) => verdict === 'approve').length },
    expires_at: row.expires_at,
    ends_by,
    extensions,
    escalation: line.escalated ?? (held.approvers.escalate && open && row.escalates_at !== null ? { groups: held.approvers.escalate.to, at: row.escalates_at, done: false } : null),
    votes: shownVotes(votes, roster, logged, id, parts),
    approvers: approversOf(held, asked, roster),
    excluded: excludedFrom(held, roster),
    action: { id: action.id, state: action.state, code: action.code, guidance: action.guidance },
    receipts: logged.map((receipt) => ({ id: receipt.id, index: Number(receipt.index), kind: receipt.kind, at: receipt.at })),
    resolved: row.resolved_at === null ? null : { at: row.resolved_at, by: row.resolved_by ?? '', by_name: nameOf(row.resolved_by ?? '', roster), text: row.resolution },
    gave_way_to: deferral === null && request === null && !next ? null : { deferral, request, action: next ? { id: next.id, state: next.state, code: next.code } : null },
    edit: edit && { by_name: nameOf(edit.by, roster), action: edit.action },
    questions: questions.length,
    viewer: {
      may_approve: obstacle === null,
      obstacle,
      may_deny: mayStop,
      may_ask: mayStop && edit === null && questions.length < mostQuestions,
      // Who has voted may still find that something is wrong with it.
      may_edit: open && couldApprove && viewer.keys.some(({ kind }) => kinds.includes(kind)),
      may_extend: open && couldApprove && row.expires_at < ends_by && line.extensions.length < mostExtensions,
      may_withdraw: open && normalEmail(viewer.email) === normalEmail(held.identity.human),
      keys: viewer.keys.filter(({ kind }) => kinds.includes(kind)),
    },
    now,
  });
}

/** The first thing that stands in the way, in the order in which a person can do something about it. */
function obstacleFor(
  viewer: Viewer,
  row: ApprovalRow,
  held: HeldAction,
  votes: readonly VoteRow[],
  inForce: InForce,
  labels: readonly string[] | null,
  now: string,
): VoteObstacle {
  if (row.state !== 'pending') return { code: 'already_resolved', detail: alreadyOver(row, inForce.roster?.roster ?? null).detail };
  if (now >= row.expires_at) return { code: 'approval_expired', detail: `It expired at ${row.expires_at}.` };
  const routed = viewer.permissions.includes('approvals.decide') && routedGroups(viewer, row.approvers).length > 0;
  if (!routed) return { code: 'not_an_approver', detail: `Only ${row.approvers.join(', ')} may approve this.` };
  const { barred, involvement } = separationOf({ id: viewer.person, email: viewer.email }, held);
  if (barred) return { code: 'separation_of_duties', detail: whyBarred[involvement] };
  const edited = editOf(row);
  if (edited) return { code: 'edit_pending', detail: alreadyEdited(edited, inForce.roster?.roster ?? null).detail };
  if (votes.some(({ person }) => person === viewer.person)) return { code: 'already_voted', detail: 'You have voted on this request.' };
  const moved = basisMoved(held, inForce, labels);
  if (moved !== null) return { code: 'approval_stale', detail: moved };
  if (viewer.keys.length === 0) return { code: 'key_not_enrolled', detail: 'You have no enrolled key yet.' };
  const kinds = inForce.root ? allowedKeyKinds(inForce.root.root, held.impact) : [];
  if (!viewer.keys.some(({ kind }) => kinds.includes(kind))) {
    return { code: 'key_kind_refused', detail: `The trust root asks for another kind of key for ${held.impact} impact.` };
  }
  return null;
}

function shownVotes(votes: readonly VoteRow[], roster: Roster | null, logged: readonly LogRow[], id: ApprovalId, parts: ConsoleParts): ApprovalDetail['votes'] {
  const receipts = voteReceipts(logged, id, parts.cryptography.sha256);
  return votes.map(({ person, verdict, reason, key, at }) => ({ person, name: nameOf(person, roster), verdict, reason, key, at, receipt: receipts.get(person) ?? null }));
}

function approversOf(held: HeldAction, asked: readonly string[], roster: Roster | null): ApprovalDetail['approvers'] {
  const routed = (roster?.people ?? []).filter((person) => person.suspended !== true && routedGroups(person, asked).length > 0);
  const eligible = new Set(eligibleApprovers(held, routed, asked).map(({ id }) => id));
  return routed.map(({ id, name, keys }) => ({ person: id, name, excluded: !eligible.has(id), has_key: keys.length > 0 }));
}

/** The first request of the line that this one ends, the extensions of all of them, and whom else this one was put before. */
function lineIn(logged: readonly LogRow[], id: ApprovalId, sha256: Sha256) {
  const bodies = logged.flatMap((receipt) => {
    if (receipt.kind !== 'approval_requested' && receipt.kind !== 'approval_extended' && receipt.kind !== 'approval_escalated') return [];
    const envelope = parseEnvelope(receipt.envelope);
    const body = envelope.ok ? readStatement(sha256, envelope.value) : envelope;
    return body.ok ? [body.value] : [];
  });
  const requests = bodies.flatMap((body) => (body.kind === 'approval_requested' ? [body.predicate] : []));
  const own = requests.find(({ approval }) => approval === id);
  const line = own ? lineOfRequests(own, requests) : [];
  const extensions = bodies.flatMap((body) => (body.kind === 'approval_extended' && line.some(({ approval }) => approval === body.predicate.approval) ? [body.predicate] : []));
  const escalation = bodies.flatMap((body) => (body.kind === 'approval_escalated' && body.predicate.approval === id ? [body.predicate] : []))[0];
  const [first] = line;
  return {
    first: first && { held_at: first.at, expires_at: first.expires_at },
    extensions,
    escalated: escalation && { groups: escalation.approvers, at: escalation.at, done: true },
  };
}

const excludedFrom = (held: HeldAction, roster: Roster | null): ApprovalDetail['excluded'] =>
  (roster?.people ?? []).filter((person) => separationOf(person, held).barred).map(({ id }) => id);

const nameOf = (id: string, roster: Roster | null): string => roster?.people.find((person) => person.id === id)?.name ?? id;
