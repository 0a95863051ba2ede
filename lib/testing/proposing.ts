import { prepareProposal, makeProposal } from '@/lib/services/proposals/make-proposal';
import { prepareSigning } from '@/lib/services/proposals/prepare-signing';
import { signProposals } from '@/lib/services/proposals/sign-proposals';
import type { PreparedSigning, SignedProposals, SignProposalsInput } from '@/lib/contracts/console/proposals';
import type { SigningKey } from '@/lib/server/ed25519';
import type { ReceiptKind } from '@/lib/ledger/receipt-predicate';
import { readStatement } from '@/lib/ledger/statement';
import { nodeSha256 } from '@/lib/server/node-sha256';
import { parseEnvelope } from '@/lib/shared/dsse';
import { proofSchemaName, type PolicyProof } from '@/lib/policy/proof';
import { recordProof } from '@/lib/services/proof/record-proof';
import type { ConsoleParts } from '@/lib/services/console/console-parts';
import { isId, type PersonId, type ProposalId } from '@/lib/shared/ids';
import { fail, type Result } from '@/lib/shared/result';

import { signText, valueOf, viewerById } from './console-fixture';

export type Signatory = { readonly person: PersonId; readonly key: SigningKey };

/** A person proposes a text with their key, and it is proved. */
export async function proposed(parts: ConsoleParts, by: Signatory, text: string, reason?: string): Promise<ProposalId> {
  const viewer = await viewerById(parts, by.person);
  const prepared = valueOf(await prepareProposal(parts, viewer, { target: 'policy', text, format: 'yaml' }));
  if (!isId('proposal', prepared.proposal)) throw new Error('No proposal.');
  const envelope = await signText(prepared.statement, by.key);
  valueOf(await makeProposal(parts, viewer, { proposal: prepared.proposal, target: 'policy', text, format: 'yaml', base: prepared.base, envelope, origin: 'console', ...(reason === undefined ? {} : { reason }) }));
  await proved(parts, prepared.proposal);
  return prepared.proposal;
}

/** What the log says of a proposal, newest first. */
export async function receiptsOf(parts: ConsoleParts, kind: ReceiptKind, id: ProposalId) {
  const { rows } = await parts.log.search({ kind }, { limit: 100 });
  return rows.map((row) => valueOf(readStatement(nodeSha256, valueOf(parseEnvelope(row.envelope)))).predicate).filter((predicate) => 'proposal' in predicate && predicate.proposal === id);
}

/** A proof that found out nothing: whatever is not proved asks for what loosening asks for. */
export async function proved(parts: ConsoleParts, id: ProposalId, changes: Partial<PolicyProof> = {}): Promise<void> {
  const row = await parts.proposals.find(id);
  if (!row) throw new Error(`${id} is not there.`);
  const open = ['Nothing was compared.'];
  valueOf(await recordProof(parts, row, {
    schema: proofSchemaName, base_digest: row.base_digest, digest: row.digest, change: 'not_proved', method: 'test',
    comparison: { change: 'not_proved', changes: [], further: 0, unproved: open, method: 'test', exhaustive: false, counted: { classes: 0, operations: 0, unchanged_operations: 0 } },
    tests: { passed: 1, failed: 0 }, lint: { errors: 0, warnings: 0 }, open, ...changes,
  }));
}

/** What takes effect by each step, signed. */
export const signedDocuments = (prepared: PreparedSigning, signer: SigningKey): Promise<SignProposalsInput['documents']> =>
  Promise.all(prepared.steps.map((step) => Promise.all(step.documents.map(async (document) => ({ envelope: await signText(document, signer) })))));

/** An owner signs what the console prepares for them. */
export async function signedBy(parts: ConsoleParts, owner: Signatory, proposals: readonly ProposalId[], signer = owner.key): Promise<Result<SignedProposals>> {
  const viewer = await viewerById(parts, owner.person);
  const prepared = await prepareSigning(parts, viewer, proposals);
  if (!prepared.ok) return prepared;
  const documents = await signedDocuments(prepared.value, signer);
  if (documents.length === 0) return fail('internal', 'Nothing to sign.');
  return await signProposals(parts, viewer, { proposals: [...proposals], statement: await signText(prepared.value.statement, signer), documents });
}
