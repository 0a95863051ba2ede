import { keyKindsFor } from '@/lib/authority/key-kinds';
import { policyPayloadType, policyRevisionPayloadType, policyRevisionSchema } from '@/lib/authority/policy-revision';
import { policyStatementBytes } from '@/lib/authority/policy-statement';
import { rosterBytes, trustRootBytes } from '@/lib/authority/sign-documents';
import { rosterPayloadType, rosterSchema, type Roster } from '@/lib/authority/roster';
import { trustRootPayloadType, trustRootSchema, type ServiceKey, type TrustRoot } from '@/lib/authority/trust-root';
import { digestOf, utf8, type Sha256 } from '@/lib/shared/encoding';
import type { Digest, PersonId, WorkspaceId } from '@/lib/shared/ids';
import type { PublicKeyEntry } from '@/lib/shared/keys';
import type { Timestamp } from '@/lib/shared/timestamp';

export type SetUpFacts = {
  readonly workspace: WorkspaceId;
  readonly person: PersonId;
  readonly name: string;
  readonly email: string;
  readonly groups: readonly string[];
  readonly owner: PublicKeyEntry;
  readonly recovery: PublicKeyEntry;
  readonly services: readonly ServiceKey[];
  readonly policyText: string;
  readonly at: Timestamp;
};

export type SignedPart = { readonly payload_type: string; readonly bytes: Uint8Array };

/**
 * The four documents of a first run, each the only one that these facts give: what the browser is asked to sign, and
 * what its signatures are compared with afterwards. Both sides come from here, so nothing can be slipped in between.
 */
export function setUpDocuments(facts: SetUpFacts, sha256: Sha256) {
  const { workspace, person, at } = facts;
  const root: TrustRoot = {
    schema: trustRootSchema,
    workspace,
    version: 1,
    previous: null,
    owners: [{ person, key: facts.owner }],
    thresholds: { policy: 1, loosening: 1, root: 1, recovery: 1 },
    // With a passkey nothing weaker need sign. A browser's key would be locked out of its own root otherwise, and the console shows a banner.
    key_kinds: keyKindsFor(facts.owner.kind),
    services: facts.services,
    recovery: { key: facts.recovery },
    cool_off_seconds: 0,
    created_at: at,
  };
  const roster: Roster = {
    schema: rosterSchema,
    workspace,
    version: 1,
    previous: null,
    root_version: 1,
    people: [{ id: person, email: facts.email, name: facts.name, roles: ['owner', 'admin', 'approver'], groups: facts.groups, keys: [facts.owner] }],
    credentials: [],
    created_at: at,
  };
  const policy = utf8(facts.policyText);
  const digest = digestOf(sha256, policy);
  const revision = policyStatementBytes({ schema: policyRevisionSchema, workspace, revision: 1, base_digest: null, digest, signed_at: at });
  const rootText = trustRootBytes(root);
  return {
    root: { payload_type: trustRootPayloadType, bytes: rootText } satisfies SignedPart,
    roster: { payload_type: rosterPayloadType, bytes: rosterBytes(roster) } satisfies SignedPart,
    policy: { payload_type: policyPayloadType, bytes: policy } satisfies SignedPart,
    revision: { payload_type: policyRevisionPayloadType, bytes: revision } satisfies SignedPart,
    fingerprint: digestOf(sha256, rootText),
    policyDigest: digest satisfies Digest,
  };
}
