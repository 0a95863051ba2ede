import { rosterDigest, trustRootDigest } from '@/lib/authority/sign-documents';
import { keyId } from '@/lib/shared/ids';

import { nodeSha256 as sha256 } from '../node-crypto';
import { toldPolicy } from './told-policy';
import { listed, nextRoot, nextRoster } from './cast';
import type { Teller } from './teller';

export const owns = (teller: Teller) => ({ kind: 'person', id: teller.cast.people.owner }) as const;
const signedBy = ({ cast }: Teller) => [keyId(cast.keys.owner.signer.keyId)];

/** The workspace is set up, the services start, credentials are made. */
export async function tellSetUp(teller: Teller): Promise<void> {
  const { root, roster, people, keys, credentials } = teller.cast;
  await teller.addRoot(root);
  await teller.addRoster(roster);
  teller.byConsole('first root', 'trust_root_changed', { version: 1, digest: trustRootDigest(root, sha256), previous_digest: null, signers: signedBy(teller) });
  teller.byConsole('first roster', 'roster_changed', { version: 1, digest: rosterDigest(roster, sha256), previous_digest: null, signers: signedBy(teller) });
  teller.byConsole('owner joined', 'user_administered', { person: people.owner, change: 'joined', by: owns(teller), roster_version: 1 });
  teller.byConsole('owner’s key', 'key_enrolled', { person: people.owner, key: listed(keys.owner, 'file-ed25519'), roster_version: 1 });
  const policy = await teller.addPolicy(toldPolicy);
  teller.byConsole('first policy', 'policy_applied', { ...policy, base_digest: null, signers: signedBy(teller), change: 'first', self_signed: true, origin: 'set_up', by: owns(teller) });
  teller.byConsole('console started', 'service_started', { role: 'console', key: keyId(keys.console.signer.keyId), product_version: 'test' });
  teller.tell('plane started', 'service_started', { role: 'plane', key: keyId(keys.plane.signer.keyId), product_version: 'test' });
  teller.byConsole('agent’s credential', 'credential_administered', { credential: credentials.agent, kind: 'agent', subject: 'helper', change: 'created', by: owns(teller) });
  for (const { id, kind, token_digest, expires_at } of roster.credentials) {
    teller.byConsole(`${kind}’s credential`, 'credential_administered', { credential: id, kind, subject: kind, change: 'created', by: owns(teller), token_digest, expires_at, roster_version: 1 });
  }
  teller.checkpoint();
}

/** Another roster, with another key for an approver, and a trust root in which the plane changes over to its second key. */
export async function tellChangeOver(teller: Teller): Promise<void> {
  const { cast } = teller;
  const { people, keys, credentials, roster } = cast;
  const next = nextRoster(cast);
  await teller.addRoster(next);
  teller.byConsole('second roster', 'roster_changed', { version: 2, digest: rosterDigest(next, sha256), previous_digest: rosterDigest(roster, sha256), signers: signedBy(teller) });
  teller.byConsole('abe’s key removed', 'key_removed', { person: people.abe, key: keyId(keys.abe.signer.keyId), cause: 'replaced', roster_version: 2, by: owns(teller) });
  teller.byConsole('abe’s next key', 'key_enrolled', { person: people.abe, key: listed(keys.abesNext, 'browser-ed25519'), roster_version: 2 });
  teller.byConsole('bea may more', 'user_administered', { person: people.bea, change: 'roles_changed', by: owns(teller), roster_version: 2 });
  teller.byConsole('records revoked', 'credential_administered', {
    credential: credentials.records, kind: 'information_point', subject: 'information_point', change: 'revoked', by: owns(teller), roster_version: 2,
  });
  const root = nextRoot(cast, teller.position + 1, teller.position + 3);
  await teller.addRoot(root);
  teller.byConsole('second root', 'trust_root_changed', { version: 2, digest: trustRootDigest(root, sha256), previous_digest: trustRootDigest(cast.root, sha256), signers: signedBy(teller) });
  teller.tell('plane’s last word', 'calls_refused', { by: { kind: 'agent', id: 'helper' }, from: teller.now, to: teller.now, counts: [{ code: 'forbidden', count: 2 }] });
  teller.plane = keys.planesNext;
  teller.tell('plane started again', 'service_started', { role: 'plane', key: keyId(keys.planesNext.signer.keyId), product_version: 'test' });
  teller.checkpoint();
}
