import { policyRevisionSchema } from '@/lib/authority/policy-revision';
import { signPolicy, signPolicyStatement } from '@/lib/authority/policy-statement';
import { nodeSha256 } from '@/lib/server/node-sha256';
import { randomIds } from '@/lib/server/random-ids';
import { receiptSigner } from '@/lib/services/sign-receipt';
import { envelopeText } from '@/lib/shared/dsse';
import { utf8 } from '@/lib/shared/encoding';

import { policyOf, type BenchWorkspace } from './bench-workspace';

/** The owner takes the next revision into force: document, receipt and epoch in one transaction, as from a file. */
export async function replacePolicy({ workspace, stores, owner, console }: BenchWorkspace, revision: number, at: string): Promise<void> {
  const { text, digest } = policyOf(revision);
  const base_digest = policyOf(revision - 1).digest;
  const signers = [owner.signing.signer];
  const [signature, statement] = await Promise.all([
    signPolicy(utf8(text), signers),
    signPolicyStatement({ schema: policyRevisionSchema, workspace, revision, base_digest, digest, signed_at: at }, signers),
  ]);
  const sign = receiptSigner({ workspace, sha256: nodeSha256, signer: console.signer, ids: randomIds() });
  const body = {
    revision, digest, base_digest, signers: [owner.key.id], change: 'not_proved', self_signed: true, origin: 'file', by: { kind: 'person', id: owner.person },
  } as const;
  const receipt = await sign('policy_applied', at, body, { person: owner.person, revision });
  await stores.transactor.withHead(async (tx) => {
    await stores.authority.addPolicy(tx, {
      revision, digest, text, format: 'yaml', signature: envelopeText(signature), statement: envelopeText(statement), applied_by: owner.person, applied_at: at,
    });
    await stores.ledger.append(tx, [receipt]);
    await stores.transactor.raiseEpoch(tx);
  });
}
