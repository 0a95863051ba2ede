import { signStatement, type GrantStatement, type ProposalStep } from '@/lib/authority/owner-statements';
import { envelopePayload } from '@/lib/shared/dsse';
import { digestOf, utf8 } from '@/lib/shared/encoding';
import { keyId, type Digest, type GrantId, type PersonId, type ProposalId } from '@/lib/shared/ids';
import { comparisonMethod } from '@/lib/policy/compare/compare-policies';
import { later } from '@/lib/services/later';

import { nodeSha256 as sha256 } from '../node-crypto';
import type { Teller } from './teller';
import { agent } from './told-session';

type Base = { readonly revision: number; readonly digest: Digest };
type Proposer = { readonly kind: 'agent'; readonly id: string } | { readonly kind: 'person'; readonly id: Teller['cast']['people']['abe'] };

/** Somebody proposes new bytes on top of a base, for a policy or a grant. */
export async function propose(teller: Teller, label: string, target: 'policy' | 'grant' | 'allowlist', bytes: Uint8Array, text: string, base: Base | null, by: Proposer): Promise<{ readonly proposal: ProposalId; readonly digest: Digest; readonly base: Base | null; readonly hands: readonly PersonId[] }> {
  const { workspace, keys } = teller.cast;
  const proposal = teller.ids.make('proposal');
  const digest = digestOf(sha256, bytes);
  // The owner made the agent's credential.
  const hands = [by.kind === 'person' ? by.id : teller.cast.people.owner];
  const envelope = by.kind === 'person' ? await signStatement('proposal', workspace, { proposal, target, base, digest, proposer: by.id }, teller.now, [keys.abe.signer]) : undefined;
  teller.byConsole(label, 'policy_proposed', {
    proposal, target, base, digest, text_digest: teller.content({ text }), reason_digest: teller.content({ reason: 'It would help.' }),
    origin: by.kind === 'person' ? 'console' : 'agent', by, not_counted: hands, ...(envelope ? { envelope } : {}),
  });
  return { proposal, digest, base, hands };
}

/** What was found out about it, and the owner's signature over base, text, class and proof. */
export async function proveAndSign(teller: Teller, label: string, { proposal, digest, base, hands }: Awaited<ReturnType<typeof propose>>, change: 'tighten' | 'loosen'): Promise<Digest> {
  const { workspace, keys, people } = teller.cast;
  const proof_digest = teller.content({ proof: label, witnesses: [] });
  const base_digest = base?.digest ?? null;
  teller.byConsole(`${label} proved`, 'policy_proved', {
    proposal, base_digest, digest, change, proof_digest, method: comparisonMethod, tests: { passed: 3, failed: 0 }, lint: { errors: 0, warnings: 1 },
    replayed: { receipts: 12, newly_allowed: 0, newly_stopped: 1 }, open: [], applicable: true,
  });
  const step: ProposalStep = { proposal, base_digest, digest, class: change, proof_digest };
  const envelope = await signStatement('proposal_signature', workspace, { steps: [step] }, teller.now, [keys.owner.signer]);
  teller.byConsole(`${label} signed`, 'policy_signed', {
    proposal, base_digest, digest, change, proof_digest, person: people.owner, key: { id: keyId(keys.owner.signer.keyId), kind: 'file-ed25519' }, self_signed: hands.includes(people.owner), envelope,
  });
  return proof_digest;
}

/** An owner allows what an agent asked for in a guard directory. */
export async function applyToAllowlist(teller: Teller): Promise<void> {
  const { workspace, keys, people } = teller.cast;
  const base = { revision: 1, digest: digestOf(sha256, utf8('an allowlist')) };
  const file = '{"add_permission":"export-report"}';
  const asked = await propose(teller, 'permission proposed', 'allowlist', utf8(file), file, base, { kind: 'agent', id: 'uid 1001' });
  const proof_digest = await proveAndSign(teller, 'permission', asked, 'loosen');
  teller.wait(teller.cast.root.cool_off_seconds);
  const terms = { proposal: asked.proposal, directory: 'reports', guard_proposal: asked.digest, base, permission: 'export-report', proof_digest };
  const envelope = await signStatement('guard_application', workspace, terms, teller.now, [keys.owner.signer]);
  teller.byConsole('permission applied', 'allowlist_applied', {
    proposal: asked.proposal, digest: asked.digest, directory: 'reports', permission: 'export-report', revision: 2, base_digest: base.digest,
    allowlist_digest: digestOf(sha256, utf8('the next allowlist')), change: 'loosen', proof_digest, signers: [keyId(keys.owner.signer.keyId)], self_signed: false, envelope,
    by: { kind: 'person', id: people.owner },
  });
}

/** An owner lets the agent write notes three times. */
export async function issueGrant(teller: Teller): Promise<GrantId> {
  const { workspace, keys, people } = teller.cast;
  const grant = teller.ids.make('grant');
  const terms: GrantStatement = { grant, agent, tool: 'notes', operation: 'write', scope: { text: ['first', 'second', 'third'] }, uses: 3, expires_at: later(teller.now, 3600) };
  const envelope = await signStatement('grant', workspace, terms, teller.now, [keys.owner.signer]);
  const bytes = envelopePayload(envelope) ?? utf8('');
  const asked = await propose(teller, 'grant proposed', 'grant', bytes, 'notes.write three times', null, { kind: 'agent', id: agent });
  await proveAndSign(teller, 'grant', asked, 'loosen');
  teller.byConsole('grant issued', 'grant_issued', {
    ...terms, digest: asked.digest, proposal: asked.proposal, signers: [keyId(keys.owner.signer.keyId)], envelope, by: { kind: 'person', id: people.owner },
  });
  return grant;
}
