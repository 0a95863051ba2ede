import { policyRevisionSchema, type ChangeClass } from '@/lib/authority/policy-revision';
import { signPolicy, signPolicyStatement } from '@/lib/authority/policy-statement';
import type { PolicyRow } from '@/lib/ports/authority-store';
import type { SigningKey } from '@/lib/server/ed25519';
import { nodeSha256 } from '@/lib/server/node-sha256';
import { randomIds } from '@/lib/server/random-ids';
import { ownServiceKey } from '@/lib/server/service-keys';
import { receiptSigner } from '@/lib/services/sign-receipt';
import { envelopeText } from '@/lib/shared/dsse';
import { digestOf, utf8 } from '@/lib/shared/encoding';
import type { ProposalId } from '@/lib/shared/ids';

import type { TestPlane } from './plane-fixture';

export type WrittenRevision = { readonly change?: ChangeClass; readonly base?: string; readonly proposal?: ProposalId };

export async function newestRevision(plane: TestPlane): Promise<PolicyRow> {
  const [row] = await plane.stores.authority.policies(1);
  if (!row) throw new Error('There is no policy.');
  return row;
}

/** A text signed as the next revision. */
export async function signRevision(plane: TestPlane, text: string, signers: readonly SigningKey[], more: WrittenRevision = {}) {
  const before = await newestRevision(plane);
  const revision = before.revision + 1;
  const [base_digest, digest] = [digestOf(nodeSha256, utf8(more.base ?? before.text)), digestOf(nodeSha256, utf8(text))];
  const by = signers.map(({ signer }) => signer);
  const { now } = await plane.stores.authority.position();
  const place = { schema: policyRevisionSchema, workspace: plane.workspace, revision, base_digest, digest, class: more.change ?? 'tighten', ...(more.proposal === undefined ? {} : { proposal: more.proposal }), signed_at: now } as const;
  const [signature, statement] = await Promise.all([signPolicy(utf8(text), by), signPolicyStatement(place, by)]);
  return { revision, digest, base_digest, signature: envelopeText(signature), statement: envelopeText(statement) };
}

/** The next revision as somebody writes it who may write every row, with the signatures that they could get; and its receipt, unless told. */
export async function writeRevision(plane: TestPlane, text: string, signers: readonly SigningKey[], more: WrittenRevision & { readonly receipt?: boolean } = {}): Promise<number> {
  const { revision, digest, base_digest, signature, statement } = await signRevision(plane, text, signers, more);
  const consoleKey = await ownServiceKey(plane.stateDirectory, 'console');
  const sign = receiptSigner({ workspace: plane.workspace, sha256: nodeSha256, signer: consoleKey.signer, ids: randomIds() });
  await plane.stores.transactor.withHead(async (tx, { now }) => {
    await plane.stores.authority.addPolicy(tx, { revision, digest, text, format: 'yaml', signature, statement, applied_by: 'somebody', applied_at: now });
    const body = { revision, digest, base_digest, signers: signers.map(({ id }) => id), change: more.change ?? 'tighten', self_signed: false, origin: 'file', by: { kind: 'person', id: 'somebody' } } as const;
    if (more.receipt !== false) await plane.stores.ledger.append(tx, [await sign('policy_applied', now, body, { revision })]);
    await plane.stores.transactor.raiseEpoch(tx);
    await plane.stores.events.publish(tx, [{ kind: 'epoch_raised', id: plane.workspace }]);
  });
  return revision;
}
