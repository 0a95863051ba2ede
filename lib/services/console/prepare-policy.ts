import { policyPayloadType, policyRevisionPayloadType, policyRevisionSchema } from '@/lib/authority/policy-revision';
import { policyStatementBytes } from '@/lib/authority/policy-statement';
import type { PreparedPolicy, PreparePolicyInput } from '@/lib/contracts/console/policies';
import { digestOf, utf8 } from '@/lib/shared/encoding';
import { ok, type Result } from '@/lib/shared/result';

import type { ConsoleParts } from './console-parts';
import { inForceReference, refuseUnproposed } from './policy-base';
import { toSign } from './prepare-set-up';
import { authorityToBuildOn } from './roster-change-facts';

/** The two documents that make a text that was not proposed the next revision. Failures: `policy_invalid` and its places, `cool_off_runs`, and those of the authority in force. */
export async function preparePolicy(parts: ConsoleParts, input: PreparePolicyInput): Promise<Result<PreparedPolicy>> {
  const authority = await authorityToBuildOn(parts);
  if (!authority.ok) return authority;
  const compiled = parts.compile(input.text, input.format);
  if (!compiled.ok) return compiled;
  const base = inForceReference(await parts.inForce.current());
  const bytes = utf8(input.text);
  const digest = digestOf(parts.cryptography.sha256, bytes);
  const waits = refuseUnproposed(authority.value.root, base, digest);
  if (!waits.ok) return waits;
  const revision = (base?.revision ?? 0) + 1;
  const statement = policyStatementBytes({
    schema: policyRevisionSchema,
    workspace: parts.workspace,
    revision,
    base_digest: base?.digest ?? null,
    digest,
    signed_at: await parts.reads.now(),
  });
  return ok({
    revision,
    digest,
    policy: toSign({ payload_type: policyPayloadType, bytes }),
    policy_revision: toSign({ payload_type: policyRevisionPayloadType, bytes: statement }),
  });
}
