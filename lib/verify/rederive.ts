import type { Bundle } from '@/lib/ledger/bundle';
import type { ReceiptPredicate } from '@/lib/ledger/receipt-predicate';
import { sealsIn, unsealValues } from '@/lib/ledger/content';
import { fromUtf8 } from '@/lib/shared/encoding';
import type { ApprovalId, Digest, GrantId } from '@/lib/shared/ids';
import type { Json } from '@/lib/shared/json';

import { ofKind, type Entry } from './parse-entries';
import type { PlacedPolicy } from './policy-history';
import { told, type OnProgress } from './progress';
import { failed, passed, unknown, type CannotRederive, type Check, type Rederived } from './report';
import { SessionTraces, type Before } from './session-trace';
import type { SnapshotBeside } from './snapshot-fits';

/** Everything the engine had: the receipt of its decision, the action and the snapshot as stored, the policy's exact text. */
export type RederiveInput = {
  readonly decided: ReceiptPredicate<'action_decided'>;
  readonly action: Json;
  readonly snapshot: Json;
  readonly policyText: string;
  /** a′ as stored; undefined when there is none, or it is withheld. */
  readonly transformed: Json | undefined;
  /** The request that the decision led to, and the permit after it; undefined when there is none, or it is not in the bundle. */
  readonly request?: ReceiptPredicate<'approval_requested'> | undefined;
  readonly issued?: ReceiptPredicate<'permit_issued'> | undefined;
  /** What people were shown of the request; undefined when it is not in the bundle. */
  readonly held?: Json | undefined;
  /** What asked more groups later. */
  readonly escalations?: readonly Pick<ReceiptPredicate<'approval_escalated'>, 'approvers' | 'at'>[];
  /** The grants that its permit names, as they were issued; one that is not in the bundle is left out. */
  readonly grants?: readonly ReceiptPredicate<'grant_issued'>[];
  /** What the log says beside the snapshot; left out where a single decision is judged by itself. */
  readonly beside?: Omit<SnapshotBeside, 'decided'>;
};

export type RederiveResult = {
  readonly state: 'reproduced' | 'differs' | 'cannot';
  readonly detail: string;
  /** Why it cannot be run again, for counting. */
  readonly why?: CannotRederive;
};

/** Runs the engine again on what is stored and compares. Pure; never throws. */
export type Rederive = (input: RederiveInput) => RederiveResult;

type Found = { readonly index: number } & RederiveResult;

/** Every decision of the bundle once more. What cannot be run again is counted with its reason, never passed over. */
export function rederiveAll(bundle: Bundle, entries: readonly Entry[], policies: readonly PlacedPolicy[], rederive: Rederive | undefined, onProgress?: OnProgress): Rederived {
  const contents = new Map(bundle.contents.map(({ digest, value }) => [digest, value]));
  const salts = new Map(bundle.contents.map(({ digest, salt }) => [digest, salt]));
  const absent = new Map(bundle.absent.map(({ digest, why }) => [digest, why]));
  const requests = new Map(ofKind(entries, 'approval_requested').map(({ predicate }) => [predicate.approval, predicate]));
  const issued = new Map(ofKind(entries, 'permit_issued').map(({ predicate }) => [predicate.approval, predicate]));
  const grants = new Map(ofKind(entries, 'grant_issued').map(({ predicate }) => [predicate.grant, predicate]));
  const escalations = ofKind(entries, 'approval_escalated');
  const escalationsOf = (approval: ApprovalId) => escalations.flatMap(({ predicate }) => (predicate.approval === approval ? [predicate] : []));
  const find = (digest: Digest) => contents.get(digest);
  const missing = (what: string, digest: Digest): RederiveResult => ({ state: 'cannot', detail: `The ${what} is ${absent.get(digest) ?? 'missing'}.`, why: absent.get(digest) ?? 'missing' });
  const one = (decided: ReceiptPredicate<'action_decided'>, before: Before): RederiveResult => {
    const asked = decided.snapshot_digest !== null && decided.policy !== null;
    // Only a DENY needs no engine.
    if (!asked && decided.decision !== 'DENY') return { state: 'differs', detail: 'It was not denied, and the engine was not asked.' };
    if (!rederive) return { state: 'cannot', detail: 'No engine was given.' };
    if (decided.snapshot_digest === null || decided.policy === null) return { state: 'cannot', detail: `The engine was not asked: ${decided.code}.`, why: 'not_asked' };
    const action = find(decided.action.digest);
    if (action === undefined) return missing('action', decided.action.digest);
    const snapshot = find(decided.snapshot_digest);
    if (snapshot === undefined) return missing('snapshot', decided.snapshot_digest);
    const policy = policies.findLast(({ digest }) => digest === decided.policy?.digest);
    const policyText = policy && fromUtf8(policy.bytes);
    if (policyText === undefined) return { state: 'cannot', detail: 'The policy is not in the bundle.', why: 'missing' };
    const seal = sealsIn(action).find((digest) => !contents.has(digest));
    if (seal !== undefined) return missing('sensitive argument', seal);
    const changed = decided.transformed_digest === undefined ? undefined : find(decided.transformed_digest);
    const transformed = changed === undefined ? undefined : unsealValues(changed, find);
    const approval = decided.approval?.id;
    const request = approval && requests.get(approval);
    return rederive({
      decided, action: unsealValues(action, find), snapshot, policyText, transformed, request, issued: approval && issued.get(approval),
      held: request?.held_digest && find(request.held_digest), escalations: approval ? escalationsOf(approval) : [], grants: namedBy(decided, approval && issued.get(approval)).flatMap((grant) => grants.get(grant) ?? []), beside: { snapshotSalt: salts.get(decided.snapshot_digest) ?? '', before, find },
    });
  };
  const decisions = entries.filter(({ body }) => body?.kind === 'action_decided').length;
  const traces = new SessionTraces();
  const found: Found[] = [];
  for (const entry of entries) {
    if (entry.body?.kind === 'action_decided') {
      found.push({ index: entry.index, ...one(entry.body.predicate, traces.before(entry.body.predicate)) });
      told(onProgress, 'rederivation', found.length, decisions);
    }
    traces.take(entry);
  }
  const count = (state: RederiveResult['state']) => found.filter((result) => result.state === state).length;
  return {
    reproduced: count('reproduced'),
    differs: count('differs'),
    cannot: count('cannot'),
    notes: found.flatMap(({ index, state, detail, why }) => (state === 'reproduced' ? [] : [{ index, state, detail, ...(state === 'cannot' ? { why: why ?? 'unreadable' } : {}) }])),
  };
}

/** The grants on which a permit rests: its decision's, or the one that an approval led to. */
const namedBy = ({ permit }: ReceiptPredicate<'action_decided'>, issued: ReceiptPredicate<'permit_issued'> | undefined): readonly GrantId[] => (permit ?? issued?.permit)?.grants ?? [];

export function checkRederivation({ reproduced, differs, cannot, notes }: Rederived): Check {
  const first = notes.find(({ state }) => state === 'differs');
  if (first) return failed('rederivation', `${differs} decisions come out differently: ${first.detail}`, first.index);
  if (cannot > 0) return unknown('rederivation', `${reproduced} reproduced; ${cannot} cannot be re-derived: ${notes[0]?.detail ?? ''}`);
  return passed('rederivation', `${reproduced} reproduced.`);
}
