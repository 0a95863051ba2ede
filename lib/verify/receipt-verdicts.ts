import type { ReceiptKind } from '@/lib/ledger/receipt-predicate';
import type { ActionId } from '@/lib/shared/ids';

import { failedAt } from './first-failure';
import { pairingWords } from './pairing-words';
import type { Check, CheckId, CheckState, Pairing, Report } from './report';

/** What a check says about one receipt. */
export type ReceiptVerdict = { readonly id: CheckId; readonly state: CheckState; readonly title: string; readonly detail: string };

type Subject = { readonly index: number; readonly kind: ReceiptKind | null; readonly action: ActionId | null };

/** Checks that look at every receipt in its turn. */
const ofEach: readonly CheckId[] = ['receipts', 'chain', 'tree', 'times'];

/** Checks that look at receipts of one kind. */
const ofKinds: { readonly [Kind in ReceiptKind]?: readonly CheckId[] } = {
  trust_root_changed: ['trust_root', 'administration'],
  roster_changed: ['rosters', 'administration'],
  policy_proposed: ['proposals'],
  policy_proved: ['proposals'],
  policy_signed: ['proposals'],
  policy_applied: ['policies', 'proposals', 'classes'],
  policy_rejected: ['proposals'],
  policy_rolled_back: ['policies', 'proposals'],
  allowlist_applied: ['proposals'],
  grant_issued: ['grants', 'proposals'],
  grant_consumed: ['grants'],
  grant_revoked: ['grants'],
  credential_administered: ['administration'],
  user_administered: ['administration'],
  key_enrolled: ['administration'],
  key_removed: ['administration'],
  rollback_accepted: ['administration'],
  recovery_announced: ['administration'],
  recovery_cancelled: ['administration'],
  export_made: ['administration'],
  session_opened: ['sessions'],
  session_closed: ['sessions'],
  message_recorded: ['sessions'],
  delegation_recorded: ['sessions'],
  attributes_supplied: ['sessions', 'statements'],
  label_lowered: ['sessions', 'statements'],
  action_decided: ['policies', 'sessions', 'switches'],
  approval_requested: ['votes'],
  approval_voted: ['votes'],
  approval_edited: ['sessions', 'votes'],
  standing_approval_granted: ['standing'],
  standing_approval_used: ['standing'],
  standing_approval_revoked: ['standing'],
  seeded_request_committed: ['seeded'],
  seeded_request_opened: ['seeded'],
  permit_issued: ['switches'],
  permit_redeemed: ['sessions', 'switches', 'grants'],
  outcome_reported: ['sessions'],
  guard_finding: ['guards'],
  switch_thrown: ['switches'],
};

const claims: { readonly [Id in CheckId]?: string } = {
  receipts: 'Signed by a key that was delegated at its position',
  chain: 'Names the receipt before it',
  tree: 'Is in the log whose root the checkpoint states',
  trust_root: 'The trust root leads to the fingerprint',
  rosters: 'The roster is signed by owners',
  policies: 'The policy in force is signed by owners',
  sessions: 'Fits on what its session had done before',
  votes: 'Is signed by a person of the roster, over what was asked',
  times: 'Is not earlier than the one before it',
};

/**
 * The verdicts of a report, told receipt by receipt. A check that failed at an earlier receipt stopped there, so it says nothing about
 * later ones: they are neither green nor red.
 */
export class ReceiptVerdicts {
  private readonly checks: ReadonlyMap<CheckId, Check>;
  private readonly notes: ReadonlyMap<number, Report['rederived']['notes'][number]>;
  private readonly pairing: ReadonlyMap<ActionId, Pairing>;

  constructor({ checks, rederived, pairing }: Pick<Report, 'checks' | 'rederived' | 'pairing'>) {
    this.checks = new Map(checks.map((check) => [check.id, check]));
    this.notes = new Map(rederived.notes.map((note) => [note.index, note]));
    this.pairing = new Map(pairing.map((one) => [one.action, one]));
  }

  of(subject: Subject): readonly ReceiptVerdict[] {
    // A check that fails at this very receipt is about it, whatever its kind.
    const failing = [...this.checks.values()].filter((check) => check.state === 'fail' && failedAt(check) === subject.index).map(({ id }) => id);
    const ids = new Set([...ofEach, ...(subject.kind === null ? [] : (ofKinds[subject.kind] ?? [])), ...failing.filter((id) => id !== 'pairing' && id !== 'rederivation')]);
    const found = [...ids].flatMap((id) => {
      const check = this.checks.get(id);
      return check ? [verdictOf(check, subject.index)] : [];
    });
    if (subject.kind === 'action_decided') found.push(this.rederivedAt(subject.index));
    const paired = subject.action === null ? undefined : this.pairing.get(subject.action);
    return paired ? [...found, pairedVerdict(paired, subject.index)] : found;
  }

  /** The worst of them: one failure fails the receipt, one open question keeps it from being green. */
  stateOf(subject: Subject): CheckState {
    return worst(this.of(subject));
  }

  pairingOf(action: ActionId | null): Pairing | undefined {
    return action === null ? undefined : this.pairing.get(action);
  }

  private rederivedAt(index: number): ReceiptVerdict {
    const note = this.notes.get(index);
    const common = { id: 'rederivation' } as const;
    if (!note) return { ...common, state: 'pass', title: 'The engine reaches the same decision again', detail: 'Reproduced.' };
    if (note.state === 'differs') return { ...common, state: 'fail', title: 'The engine decides otherwise', detail: note.detail };
    return { ...common, state: 'unknown', title: 'Cannot be re-derived', detail: note.detail };
  }
}

export function worst(verdicts: readonly ReceiptVerdict[]): CheckState {
  if (verdicts.some(({ state }) => state === 'fail')) return 'fail';
  return verdicts.every(({ state }) => state === 'pass') ? 'pass' : 'unknown';
}

function verdictOf(check: Check, index: number): ReceiptVerdict {
  const { id, state } = check;
  const common = { id, title: claims[id] ?? check.title };
  if (state === 'pass') return { ...common, state, detail: '' };
  if (state === 'unknown') return { ...common, state, detail: check.detail };
  const at = failedAt(check);
  if (at === index) return { ...common, state: 'fail', detail: check.detail };
  if (at === undefined) return { ...common, state: 'unknown', detail: `Fails for the file as a whole: ${check.detail}` };
  return at > index ? { ...common, state: 'pass', detail: '' } : { ...common, state: 'unknown', detail: `Not looked at: the check stopped at receipt ${at}.` };
}

function pairedVerdict({ verdict, broken, detail, index: at }: Pairing, index: number): ReceiptVerdict {
  const common = { id: 'pairing', title: pairingWords[verdict].title } as const;
  if (broken) return { ...common, state: at === index ? 'fail' : 'unknown', detail: at === index ? detail : `Does not hold together at receipt ${at}: ${detail}` };
  return { ...common, state: 'pass', detail };
}
