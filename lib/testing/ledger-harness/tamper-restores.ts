import { after, consistent, type Tampering } from './tampering';
import { keyId } from '@/lib/shared/ids';
import { revokeServiceKey } from '@/lib/authority/next-trust-root';
import { signTrustRoot, trustRootDigest } from '@/lib/authority/sign-documents';

import { nodeSha256 as sha256 } from '../node-crypto';
import { nextRoot, second } from './cast';
import { eventOf, indexOf, receiptLike } from './tampering';
import { tellLedger } from './tell-ledger';
import type { ToldEvent, ToldLedger } from './teller';

/** The log as it was after a batch: a dump that somebody took then. */
const asOf = (label: string) => (told: ToldLedger): ToldLedger => {
  const events = told.events.slice(0, indexOf(told, label) + 1);
  const count = (kind: string): number => events.filter((event) => event.kind === kind).length;
  return {
    ...told, events, erased: [], trustRoots: told.trustRoots.slice(0, count('trust_root_changed')), rosters: told.rosters.slice(0, count('roster_changed')), policies: told.policies.slice(0, count('policy_applied')),
  };
};

/** An owner withdraws the plane's first key from everything after a position, also from what the log has already. */
async function revoked(told: ToldLedger): Promise<ToldLedger> {
  const { cast } = told;
  const changed = indexOf(told, 'second root');
  const before = nextRoot(cast, changed + 1, changed + 3);
  const root = revokeServiceKey(before, keyId(cast.keys.plane.signer.keyId), indexOf(told, 'message'), { createdAt: second(3), sha256 });
  const { checkpoint } = eventOf(told, 'restore accepted');
  const signers = [keyId(cast.keys.owner.signer.keyId)];
  const predicate = { version: 3, digest: trustRootDigest(root, sha256), previous_digest: trustRootDigest(before, sha256), signers, workspace: cast.workspace, at: eventOf(told, 'restore accepted').predicate.at, receipt: receiptLike(told, 'restore accepted', 'root') };
  const event: ToldEvent = { label: 'third root', kind: 'trust_root_changed', signer: cast.keys.console, predicate, ...(checkpoint ? { checkpoint } : {}) };
  return { ...told, events: [...told.events, event], trustRoots: [...told.trustRoots, await signTrustRoot(root, [cast.keys.owner.signer])] };
}

/** Whole logs in the place of this one, each of them sound in itself; and keys that turn out to be lost. */
export const tamperedRestores: readonly Tampering[] = [
  {
    name: 'the database is restored from an earlier dump', history: asOf('switch released'),
    verify: { unseen: 'It is the truth of then. Only who knows what came after misses it.' }, known: { check: 'consistency', says: 'its end was cut off' },
    fsck: { unseen: 'It is whole as it was then; fsck finds it with a pin (see its second run).' }, pins: { denied: 'rollback_detected', says: 'A log of' },
  },
  {
    name: 'the whole history is replaced by another one, under the same root',
    history: async (told) => {
      const events = told.events.map((event) => (event.label === 'message' ? { ...event, predicate: { ...event.predicate, by: { kind: 'orchestrator', id: 'other desk' } } } : event));
      return { ...told, events };
    },
    verify: { unseen: 'It is signed by keys that the root delegates, as it is: whoever holds them all can write another history. Only who knows the first one sees it.' },
    known: { check: 'consistency', says: 'another' },
    fsck: consistent, pins: { denied: 'rollback_detected', says: 'Another history' },
  },
  {
    name: 'the whole history is replaced by another one, under another root', history: (told) => tellLedger('another seed', told.cast.workspace),
    verify: { check: 'trust_root', says: 'is not the pinned fingerprint' }, fsck: consistent, pins: { denied: 'rollback_detected', says: 'Another trust root than the pinned one' },
  },
  {
    name: 'a key is revoked that has signed after its last good position', history: revoked,
    verify: { check: 'receipts', at: 'finding in message', says: 'was withdrawn for its position by trust root 3' }, fsck: consistent, pins: after,
  },
];
