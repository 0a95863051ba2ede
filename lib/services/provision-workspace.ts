import { browserKeyKinds } from '@/lib/authority/key-kinds';
import { pinOfFingerprint } from '@/lib/authority/pins';
import { policyRevisionSchema } from '@/lib/authority/policy-revision';
import { signPolicy, signPolicyStatement } from '@/lib/authority/policy-statement';
import type { Role } from '@/lib/authority/roles';
import { rosterSchema, type CredentialScope, type Roster, type VouchingKind } from '@/lib/authority/roster';
import { rosterDigest, signRoster, signTrustRoot, trustRootDigest } from '@/lib/authority/sign-documents';
import { trustRootSchema, type ServiceKey, type TrustRoot } from '@/lib/authority/trust-root';
import type { AuthorityStore, PolicyRow } from '@/lib/ports/authority-store';
import type { CredentialStore } from '@/lib/ports/credential-store';
import type { Ids } from '@/lib/ports/ids';
import type { LedgerStore, SignedReceipt } from '@/lib/ports/ledger-store';
import type { PeopleStore } from '@/lib/ports/people-store';
import type { PinStore } from '@/lib/ports/pin-store';
import type { Transactor } from '@/lib/ports/transaction';
import { envelopeText, type Signer } from '@/lib/shared/dsse';
import { digestOf, utf8, type Sha256 } from '@/lib/shared/encoding';
import type { CredentialId, Digest, PersonId, WorkspaceId } from '@/lib/shared/ids';
import type { PublicKeyEntry } from '@/lib/shared/keys';

import { later } from './later';
import type { SignReceipt } from './sign-receipt';

export type ProvisionParts = {
  readonly workspace: WorkspaceId;
  readonly transactor: Transactor;
  readonly ledger: LedgerStore;
  readonly authority: AuthorityStore;
  readonly credentials: CredentialStore;
  readonly people: PeopleStore;
  readonly pins: PinStore;
  readonly sign: SignReceipt;
  readonly ids: Ids;
  readonly sha256: Sha256;
};

export type ProvisionedPerson = {
  readonly name: string;
  readonly email: string;
  readonly roles: readonly Role[];
  readonly groups: readonly string[];
  /** Null: this person cannot sign in. */
  readonly passwordHash: string | null;
};

export type Provision = {
  /** The first is the owner, whose key signs everything. */
  readonly people: readonly [ProvisionedPerson, ...ProvisionedPerson[]];
  readonly owner: { readonly key: PublicKeyEntry; readonly signer: Signer };
  readonly recovery: PublicKeyEntry;
  readonly services: readonly ServiceKey[];
  readonly policy: { readonly text: string; readonly format: PolicyRow['format'] };
  /** `registeredBy` names a person by e-mail. */
  readonly agents: readonly { readonly id: string; readonly role: string; readonly scope: readonly string[]; readonly registeredBy: string; readonly scopes?: readonly string[] }[];
  readonly vouching: readonly { readonly kind: VouchingKind; readonly subject: string; readonly scope: CredentialScope }[];
  readonly days: number;
};

export type Token = { readonly id: CredentialId; readonly subject: string; readonly token: string };

export type Provisioned = {
  readonly fingerprint: Digest;
  readonly people: ReadonlyMap<string, PersonId>;
  readonly agents: readonly Token[];
  readonly vouching: readonly (Token & { readonly kind: VouchingKind })[];
};

const tokenPrefix = { agent: 'csa', orchestrator: 'cso', enforcement_point: 'csp', information_point: 'csi' } as const;

/**
 * Sets a whole workspace up at once, with an owner whose key is in a file: for demos, replays and benches. Documents,
 * rows, receipts and pin are the same as those of a set-up in the browser. Throws when the workspace is set up already.
 */
export async function provisionWorkspace(parts: ProvisionParts, wanted: Provision, now: string): Promise<Provisioned> {
  const { sha256, workspace, ids } = parts;
  const people = wanted.people.map((person) => ({ ...person, id: ids.make('person') }));
  const [owner] = people;
  if (!owner) throw new Error('A workspace has an owner.');
  const byEmail = new Map(people.map(({ email, id }) => [email, id]));
  const expires = later(now, wanted.days * 86_400);
  const agents = wanted.agents.map(({ id: subject, ...agent }) => ({ ...agent, subject, kind: 'agent' as const, ...freshToken(parts, 'agent') }));
  const vouching = wanted.vouching.map((credential) => ({ ...credential, ...freshToken(parts, credential.kind) }));
  const root: TrustRoot = {
    schema: trustRootSchema, workspace, version: 1, previous: null, owners: [{ person: owner.id, key: wanted.owner.key }],
    thresholds: { policy: 1, loosening: 1, root: 1, recovery: 1 }, key_kinds: browserKeyKinds, services: wanted.services,
    recovery: { key: wanted.recovery }, cool_off_seconds: 0, created_at: now,
  };
  const roster: Roster = {
    schema: rosterSchema, workspace, version: 1, previous: null, root_version: 1, created_at: now,
    people: people.map(({ id, email, name, roles, groups }) => ({ id, email, name, roles, groups, keys: id === owner.id ? [wanted.owner.key] : [] })),
    credentials: vouching.map(({ id, kind, digest, scope }) => ({ id, kind, token_digest: digest, scope, expires_at: expires })),
  };
  const bytes = utf8(wanted.policy.text);
  const digest = digestOf(sha256, bytes);
  const statement = { schema: policyRevisionSchema, workspace, revision: 1, base_digest: null, digest, signed_at: now } as const;
  const signers = [wanted.owner.signer];
  const [rootEnvelope, rosterEnvelope, signature, place] = await Promise.all([
    signTrustRoot(root, signers),
    signRoster(roster, signers),
    signPolicy(bytes, signers),
    signPolicyStatement(statement, signers),
  ]);
  const fingerprint = trustRootDigest(root, sha256);
  const receipts = await receiptsOf(parts, wanted, { owner: owner.id, fingerprint, roster: rosterDigest(roster, sha256), policy: digest, people, now });
  for (const { id, kind, subject, ...rest } of [...agents, ...vouching]) {
    const by = { kind: 'person', id: ('registeredBy' in rest && byEmail.get(rest.registeredBy)) || owner.id } as const;
    receipts.push(await parts.sign('credential_administered', now, { credential: id, kind, subject, change: 'created', by }, kind === 'agent' ? { agent: subject } : {}));
  }
  await parts.transactor.withHead(async (tx) => {
    if ((await parts.authority.trustRoots(tx)).length > 0) throw new Error('The workspace is set up already.');
    await parts.authority.addTrustRoot(tx, { version: 1, envelope: envelopeText(rootEnvelope) });
    await parts.authority.addRoster(tx, { version: 1, envelope: envelopeText(rosterEnvelope) });
    const row = { revision: 1, digest, text: wanted.policy.text, format: wanted.policy.format, signature: envelopeText(signature), statement: envelopeText(place) };
    await parts.authority.addPolicy(tx, { ...row, applied_by: owner.id, applied_at: now });
    for (const { id, email, name, passwordHash } of people) {
      await parts.people.add(tx, { id, email, name, password_hash: passwordHash, suspended_at: null, signed_out_at: null });
    }
    for (const agent of agents) {
      const registered_by = byEmail.get(agent.registeredBy) ?? owner.id;
      await parts.credentials.addAgent(tx, { id: agent.subject, role: agent.role, scope: agent.scope, registered_by, suspended_at: null, created_at: now });
    }
    const created = { created_by: owner.id, created_at: now, expires_at: expires, revoked_at: null };
    for (const { id, subject, digest: token_digest, scopes } of agents) {
      await parts.credentials.add(tx, { id, kind: 'agent', subject, token_digest, scopes: scopes ?? [], ...created });
    }
    for (const { id, kind, subject, digest: token_digest } of vouching) {
      await parts.credentials.add(tx, { id, kind, subject, token_digest, scopes: [], ...created });
    }
    await parts.ledger.append(tx, receipts);
    await parts.transactor.raiseEpoch(tx);
    // Before the commit, as at set-up in the browser: a pin without a root starts again, a root without a pin never could.
    await parts.pins.write(pinOfFingerprint(fingerprint));
  });
  return {
    fingerprint,
    people: byEmail,
    agents: agents.map(({ id, subject, token }) => ({ id, subject, token })),
    vouching: vouching.map(({ id, kind, subject, token }) => ({ id, kind, subject, token })),
  };
}

function freshToken({ ids, sha256 }: ProvisionParts, kind: keyof typeof tokenPrefix) {
  const token = ids.token(tokenPrefix[kind]);
  return { token, id: ids.make('credential'), digest: digestOf(sha256, utf8(token)) };
}

async function receiptsOf(
  { sign }: ProvisionParts,
  { owner: { key } }: Provision,
  facts: {
    readonly owner: PersonId;
    readonly fingerprint: Digest;
    readonly roster: Digest;
    readonly policy: Digest;
    readonly people: readonly { readonly id: PersonId }[];
    readonly now: string;
  },
): Promise<SignedReceipt[]> {
  const { owner, now } = facts;
  const by = { kind: 'person', id: owner } as const;
  const signers = [key.id];
  const policy = { revision: 1, digest: facts.policy, base_digest: null, signers, change: 'first', self_signed: true, origin: 'set_up', by } as const;
  return [
    await sign('trust_root_changed', now, { version: 1, digest: facts.fingerprint, previous_digest: null, signers }, { person: owner }),
    await sign('roster_changed', now, { version: 1, digest: facts.roster, previous_digest: null, signers }, { person: owner }),
    await sign('key_enrolled', now, { person: owner, key, roster_version: 1 }, { person: owner }),
    ...(await Promise.all(facts.people.map(({ id }) => sign('user_administered', now, { person: id, change: 'joined', by }, { person: id })))),
    await sign('policy_applied', now, policy, { person: owner, revision: 1 }),
  ];
}
