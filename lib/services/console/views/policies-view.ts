import type { ChangeClass } from '@/lib/authority/policy-revision';
import { rootInForceAt } from '@/lib/authority/service-keys';
import type { TrustRoot } from '@/lib/authority/trust-root';
import { neededPolicySigners } from '@/lib/authority/verify-policy-revision';
import type { PoliciesView, RevisionTextView, RevisionView } from '@/lib/contracts/console/policies';
import type { PolicyRow } from '@/lib/ports/authority-store';
import { errorCodes } from '@/lib/shared/error-codes';
import { fail, ok, type Result } from '@/lib/shared/result';
import { appliedRevisions } from '@/lib/services/enough-signed-at';
import type { InForce } from '@/lib/services/in-force';
import { verifiedPolicy } from '@/lib/services/verified-policy';

import type { ConsoleParts } from '../console-parts';
import { unproved } from '../policy-base';

const mostRevisions = 100;

/** Every revision with its signatures checked here and now, as its class asks for them, so that an altered row shows as refused. */
export async function policiesView(parts: ConsoleParts): Promise<PoliciesView> {
  const [inForce, rows] = await Promise.all([parts.inForce.current(), parts.authority.policies(mostRevisions)]);
  const { policy, root, refusal, roster } = inForce;
  const applied = await appliedOf(parts, inForce);
  const owners = new Set(root?.root.owners.map(({ person }) => person) ?? []);
  return {
    in_force: policy && {
      revision: policy.revision, digest: policy.digest, text: policy.text, format: policy.format, rules: policy.compiled.rules.length,
    },
    refusal: refusal && { code: refusal.code, title: errorCodes[refusal.code].title, detail: refusal.detail },
    revisions: await Promise.all(rows.map((row) => revisionView(parts, row, inForce, applied))),
    owners: [...owners].map((id) => roster?.roster.people.find((person) => person.id === id)?.name ?? id),
  };
}

/** One revision with its exact text and signatures. Failures: `not_found`. */
export async function revisionText(parts: ConsoleParts, revision: number): Promise<Result<RevisionTextView>> {
  const row = (await parts.authority.policies(mostRevisions)).find((one) => one.revision === revision);
  if (!row) return fail('not_found', `There is no revision ${revision}.`);
  const inForce = await parts.inForce.current();
  const view = await revisionView(parts, row, inForce, await appliedOf(parts, inForce));
  return ok({ ...view, text: row.text, signature: row.signature, statement: row.statement });
}

/** What signed receipts say of revisions that came into force: their class, and under which root. */
async function appliedOf({ log, cryptography }: ConsoleParts, { root }: InForce): Promise<ReadonlyMap<string, AppliedAs>> {
  const found = new Map<string, AppliedAs>();
  if (!root) return found;
  for await (const { index, revision, digest, change } of appliedRevisions(log, root.root, cryptography)) {
    found.set(`${String(revision)} ${digest}`, { change: change === 'tighten' ? 'tighten' : unproved, root: rootInForceAt(root.history ?? [], index)?.root ?? root.root });
  }
  return found;
}

type AppliedAs = { readonly change: ChangeClass; readonly root: TrustRoot };

async function revisionView({ cryptography, compile }: ConsoleParts, row: PolicyRow, { root, roster, policy }: InForce, applied: ReadonlyMap<string, AppliedAs>): Promise<RevisionView> {
  const nameOf = (id: string) => roster?.roster.people.find((person) => person.id === id)?.name ?? id;
  // Of what is in force this process found the class out. Of what came before a receipt states it; where none does, all signatures are asked for.
  const serves = policy?.revision === row.revision && policy.digest === row.digest;
  const as = serves && root ? { change: policy.change, root: root.root } : (applied.get(`${String(row.revision)} ${row.digest}`) ?? (root && { change: unproved, root: root.root }));
  const verified = root && as ? await verifiedPolicy(row, { ...root, root: as.root }, as.change, cryptography, compile) : fail('trust_root_unpinned', 'There is no trust root to check it with.');
  return {
    revision: row.revision,
    digest: row.digest,
    format: row.format,
    applied_at: row.applied_at,
    applied_by: nameOf(row.applied_by),
    signers: verified.ok ? verified.value.policy.signers.map(nameOf) : [],
    needed: as ? neededPolicySigners(as.root, as.change) : 1,
    verification: verified.ok ? { state: 'verified' } : { state: 'refused', code: verified.error.code, detail: verified.error.detail },
    in_force: verified.ok && serves,
  };
}
