import { coolOffEndsMs } from '@/lib/authority/cool-off';
import type { ChangeClass, PolicyRevisionStatement } from '@/lib/authority/policy-revision';
import { rootInForceAt } from '@/lib/authority/service-keys';
import type { VerifiedTrustRoot } from '@/lib/authority/trust-root';
import { neededPolicySigners } from '@/lib/authority/verify-policy-revision';
import type { PolicyRow } from '@/lib/ports/authority-store';
import type { LedgerReader } from '@/lib/ports/ledger-reader';
import { fail, ok, type Result } from '@/lib/shared/result';

import { appliedIn, enoughSignedAt } from './enough-signed-at';
import type { CompilePolicy, PolicyInForce } from './in-force';
import type { Proving } from './proven-place';
import type { KnownChange } from './revision-judge';
import { verifiedPolicy, type VerifiedPolicy } from './verified-policy';

export type LoadParts = {
  readonly log: Pick<LedgerReader, 'search'>;
  readonly cryptography: Proving;
  readonly compile: CompilePolicy;
  readonly judge: KnownChange;
};

export type Loading = {
  readonly root: VerifiedTrustRoot;
  /** Rows of the database, newest first. */
  readonly rows: readonly PolicyRow[];
  /** What this process serves, which it has verified; null: nothing yet. */
  readonly served: PolicyInForce | null;
  readonly nowMs: number;
};

/** A revision that its cool-off still keeps out, with its end. */
export type Cooling = { readonly revision: number; readonly untilMs: number };

/**
 * A revision as this process may use it. Its class is found out here from the text that it replaces and its own, never taken from a row, a
 * receipt or a statement; the signatures of that class are asked for, and the cool-off of a change that is not proved to tighten has to
 * be over. Nothing has to be found out where the signatures suffice for every class and the root knows no cool-off.
 */
export async function loadRevision(row: PolicyRow, loading: Loading, parts: LoadParts, cooling?: (one: Cooling) => void): Promise<Result<PolicyInForce>> {
  const { root } = loading;
  const anyhow = await verifiedPolicy(row, root, 'not_proved', parts.cryptography, parts.compile);
  if (anyhow.ok && longestCoolOff(root) === 0) return ok(anyhow.value.policy);
  // With fewer signatures than the mildest class asks for there is nothing to find out.
  const least = anyhow.ok ? anyhow : await verifiedPolicy(row, root, 'tighten', parts.cryptography, parts.compile);
  if (!least.ok) return least;
  // The first policy loosens nothing that anybody waited for, and a text that only changes its signers (a new root's owners sign it anew) nothing at all.
  if (anyhow.ok && (isFirst(least.value.statement) || repeatsItsBase(row, least.value.statement, loading.rows))) return ok(anyhow.value.policy);
  const change = await changeAtLoad(row, least.value.statement, loading, parts);
  if (!change.ok) return change;
  if (change.value === null) return fail('policy_being_judged', `What revision ${String(row.revision)} changes is being found out; the one before goes on meanwhile.`);
  if (!anyhow.ok && change.value !== 'tighten') return anyhow;
  return await afterCoolOff(least.value, change.value, loading, parts, cooling);
}

/**
 * Only what this process serves, or would load in its turn, is a base to compare with: a row that nobody signed makes no change look mild.
 * `ledger_broken`: the log does not prove where the base came into force.
 */
async function changeAtLoad(row: PolicyRow, statement: PolicyRevisionStatement, loading: Loading, parts: LoadParts): Promise<Result<ChangeClass | null>> {
  const base = loading.rows.find(({ revision }) => revision === row.revision - 1);
  if (!base || base.digest !== statement.base_digest) return ok('not_proved');
  const isServed = loading.served !== null && loading.served.revision === base.revision && loading.served.digest === base.digest && loading.served.text === base.text;
  if (!isServed) {
    const loaded = await loadRevision(base, loading, parts);
    if (!loaded.ok) return loaded.error.code === 'ledger_broken' ? loaded : ok('not_proved');
  }
  return ok(base.text === row.text && base.format === row.format ? 'tighten' : await parts.judge(base, row));
}

const longestCoolOff = ({ root, history = [] }: VerifiedTrustRoot): number => Math.max(root.cool_off_seconds, ...history.map((one) => one.root.cool_off_seconds));

const isFirst = ({ revision, base_digest }: PolicyRevisionStatement): boolean => revision === 1 && base_digest === null;

const repeatsItsBase = (row: PolicyRow, { base_digest }: PolicyRevisionStatement, rows: readonly PolicyRow[]): boolean =>
  row.digest === base_digest && rows.some((base) => base.revision === row.revision - 1 && base.digest === base_digest && base.text === row.text && base.format === row.format);

/**
 * INVARIANT: the cool-off is that of the root in force where the revision was applied. By the newest root's, owners who ask for a longer
 * one would put the policy in force out of force, and everything would be denied until it had passed.
 */
async function afterCoolOff({ policy, statement }: VerifiedPolicy, change: ChangeClass, { root: verified, nowMs }: Loading, { log, cryptography }: LoadParts, cooling?: (one: Cooling) => void): Promise<Result<PolicyInForce>> {
  const { revision, digest, signers } = policy;
  if (change === 'tighten') return ok(policy);
  const applied = await appliedIn(log, verified.root, { revision, digest }, cryptography);
  if (!applied.ok) return applied;
  const then = applied.value === null ? undefined : rootInForceAt(verified.history ?? [], applied.value)?.root;
  const root = { root: { ...verified.root, cool_off_seconds: (then ?? verified.root).cool_off_seconds } };
  if (root.root.cool_off_seconds === 0) return ok(policy);
  const needed = neededPolicySigners(root.root, change);
  const at = await enoughSignedAt(log, root.root, { revision, digest, base_digest: statement.base_digest, proposal: statement.proposal, signers, notCounted: statement.not_counted ?? [], needed }, cryptography);
  if (at === null) return fail('cool_off_runs', `No receipt says when revision ${String(revision)} was signed, so its cool-off has not begun.`, { fix: 'Propose the text, so that its signatures are in the log.' });
  const untilMs = coolOffEndsMs(root.root, change, at);
  if (untilMs === null || nowMs >= untilMs) return ok(policy);
  cooling?.({ revision, untilMs });
  return fail('cool_off_runs', `Revision ${String(revision)} comes into force on ${new Date(untilMs).toISOString()}.`);
}
