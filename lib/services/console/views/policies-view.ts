import { neededPolicySigners } from '@/lib/authority/verify-policy-revision';
import type { PoliciesView, RevisionTextView, RevisionView } from '@/lib/contracts/console/policies';
import type { PolicyRow } from '@/lib/ports/authority-store';
import { errorCodes } from '@/lib/shared/error-codes';
import { fail, ok, type Result } from '@/lib/shared/result';
import type { InForce } from '@/lib/services/in-force';
import { verifiedPolicy } from '@/lib/services/verified-policy';

import type { ConsoleParts } from '../console-parts';
import { unproved } from '../policy-base';

const mostRevisions = 100;

/** Every revision with its signatures checked here and now, so that an altered row shows as refused. */
export async function policiesView(parts: ConsoleParts): Promise<PoliciesView> {
  const [inForce, rows] = await Promise.all([parts.inForce.current(), parts.authority.policies(mostRevisions)]);
  const { policy, root, refusal, roster } = inForce;
  const owners = new Set(root?.root.owners.map(({ person }) => person) ?? []);
  return {
    in_force: policy && {
      revision: policy.revision, digest: policy.digest, text: policy.text, format: policy.format, rules: policy.compiled.rules.length,
    },
    refusal: refusal && { code: refusal.code, title: errorCodes[refusal.code].title, detail: refusal.detail },
    revisions: await Promise.all(rows.map((row) => revisionView(parts, row, inForce))),
    needed_signers: root ? neededPolicySigners(root.root, unproved) : 1,
    owners: [...owners].map((id) => roster?.roster.people.find((person) => person.id === id)?.name ?? id),
  };
}

/** One revision with its exact text and signatures. Failures: `not_found`. */
export async function revisionText(parts: ConsoleParts, revision: number): Promise<Result<RevisionTextView>> {
  const row = (await parts.authority.policies(mostRevisions)).find((one) => one.revision === revision);
  if (!row) return fail('not_found', `There is no revision ${revision}.`);
  const view = await revisionView(parts, row, await parts.inForce.current());
  return ok({ ...view, text: row.text, signature: row.signature, statement: row.statement });
}

async function revisionView({ cryptography, compile }: ConsoleParts, row: PolicyRow, { root, roster, policy }: InForce): Promise<RevisionView> {
  const nameOf = (id: string) => roster?.roster.people.find((person) => person.id === id)?.name ?? id;
  // What came into force had the signatures of its class, which the process that served it found out; of what did not, all are asked for.
  const change = policy !== null && row.revision <= policy.revision ? 'tighten' : 'not_proved';
  const verified = root ? await verifiedPolicy(row, root, change, cryptography, compile) : fail('trust_root_unpinned', 'There is no trust root to check it with.');
  return {
    revision: row.revision,
    digest: row.digest,
    format: row.format,
    applied_at: row.applied_at,
    applied_by: nameOf(row.applied_by),
    signers: verified.ok ? verified.value.policy.signers.map(nameOf) : [],
    verification: verified.ok ? { state: 'verified' } : { state: 'refused', code: verified.error.code, detail: verified.error.detail },
    in_force: verified.ok && policy?.revision === row.revision && policy.digest === row.digest,
  };
}
