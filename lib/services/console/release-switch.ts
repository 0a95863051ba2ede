import { statementPayload, statementTypes } from '@/lib/authority/owner-statements';
import type { TrustRoot } from '@/lib/authority/trust-root';
import type { PreparedRelease, PrepareReleaseInput, ReleaseSwitchInput } from '@/lib/contracts/console/agents';
import type { ThrownSwitch } from '@/lib/services/in-force';
import { parseEnvelope } from '@/lib/shared/dsse';
import type { PersonId, ReceiptId } from '@/lib/shared/ids';
import { fail, ok, type Result } from '@/lib/shared/result';
import { isTimestamp } from '@/lib/shared/timestamp';
import { faultOfRelease } from '@/lib/verify/switch-release';

import type { ConsoleParts } from './console-parts';
import { toSign } from './prepare-set-up';
import { raiseEpoch } from './raise-epoch';

type Which = Pick<PrepareReleaseInput, 'scope' | 'subject'>;
type Told = ThrownSwitch & { readonly receipt: ReceiptId };

/** What an owner signs to release a switch: exactly the throw that is on now. Failures: `not_found`, `conflict`, and why nothing may be decided at all. */
export async function prepareRelease(parts: ConsoleParts, input: PrepareReleaseInput): Promise<Result<PreparedRelease>> {
  const standing = await thrownNow(parts, input);
  if (!standing.ok) return standing;
  const { one } = standing.value;
  const now = await parts.reads.now();
  if (!isTimestamp(now)) throw new Error('A time of ours is not written as a time.');
  const bytes = statementPayload('switch_release', parts.workspace, { scope: one.scope, target: one.scope === 'all' ? null : one.subject, thrown: one.receipt }, now);
  return ok({ document: toSign({ payload_type: statementTypes.switch_release, bytes }), thrown_by: one.thrown_by, thrown_at: one.thrown_at, reason: one.reason ?? '' });
}

/**
 * Releases a switch by an owner's signature over exactly the throw that ends. Every process checks the signature itself, in the log: the row
 * that is set here releases nothing. Failures: `not_found`, `conflict`, `signature_invalid`.
 */
export async function releaseSwitch(parts: ConsoleParts, by: PersonId, input: ReleaseSwitchInput): Promise<Result<{ readonly scope: string; readonly subject: string }>> {
  const { scope, subject, reason } = input;
  const envelope = parseEnvelope(input.envelope);
  if (!envelope.ok) return envelope;
  const done = await parts.transactor.withHead(async (tx, { now, epoch }): Promise<Result<{ readonly scope: string; readonly subject: string }>> => {
    // Looked up behind the lock: of two owners who release at once the second one finds it released.
    const standing = await thrownNow(parts, input);
    if (!standing.ok) return standing;
    const { one, root } = standing.value;
    const target = scope === 'all' ? {} : { target: subject };
    const body = { scope, ...target, on: false, reason, by: { kind: 'person', id: by }, epoch: Number(epoch) + 1, envelope: envelope.value } as const;
    const fault = await faultOfRelease({ ...body, workspace: parts.workspace }, one, root, parts.cryptography);
    if (fault !== undefined) return fail('signature_invalid', fault, { fix: 'Load the page and sign again.' });
    await parts.authority.releaseSwitch(tx, scope, subject, now);
    const columns = { person: by, ...(scope === 'agent' ? { agent: subject } : {}), ...(scope === 'tool' ? { tool: subject } : {}) };
    await parts.ledger.append(tx, [await parts.sign('switch_thrown', now, body, columns)]);
    await raiseEpoch(parts, tx);
    return ok({ scope, subject });
  });
  if (done.ok) await parts.inForce.refresh();
  return done;
}

/** The throw that is on, as its receipt tells it. */
async function thrownNow(parts: ConsoleParts, { scope, subject }: Which): Promise<Result<{ readonly one: Told; readonly root: TrustRoot }>> {
  const { switches, root, refusal, denied } = await parts.inForce.refresh();
  if (!root) return fail(denied ?? 'trust_root_invalid', refusal?.detail ?? 'There is no trust root to check the signature with.');
  const one = switches.find((other) => other.scope === scope && other.subject === subject);
  if (!one) return fail('not_found', 'This switch is not thrown.');
  const { receipt } = one;
  if (receipt === undefined) return fail('conflict', 'No receipt tells of this throw: a row says so that this product did not write.', { fix: 'Run "countersign fsck" and look who wrote to the database.' });
  return ok({ one: { ...one, receipt }, root: root.root });
}
