import { rosterDigest, trustRootDigest } from '@/lib/authority/sign-documents';
import { bodyOf } from '@/lib/ledger/parse-predicate';
import type { ReceiptPredicate } from '@/lib/ledger/receipt-predicate';
import { utf8 } from '@/lib/shared/encoding';
import type { EventEvidence } from '@/lib/verify/event-evidence';
import type { Entry } from '@/lib/verify/parse-entries';

import { nodeSha256 as sha256, nodeVerifySignature as verify } from '../node-crypto';
import { nextRoot, nextRoster } from './cast';
import { indexOf } from './tampering';
import type { ToldLedger } from './teller';

/**
 * A told log as the rules about events see it, from position `from` up to `to` (excluded) and, behind that, what came into force: those receipts
 * are anchors. Receipts' own signatures are other checks' business.
 */
export function evidenceOf(told: ToldLedger, from = 0, to = told.events.length): EventEvidence {
  const { cast, events, policies } = told;
  const applied = events.flatMap(({ kind }, index) => (kind === 'policy_applied' ? [index] : []));
  const changed = indexOf(told, 'second root');
  const roots = [cast.root, nextRoot(cast, changed + 1, changed + 3)];
  const rosters = [cast.roster, nextRoster(cast)];
  return {
    entries: events.map((event, index) => entryOf(event, index, index < from || index >= to)).filter(({ index, body }) => index >= from && (index < to || (body !== undefined && inForce.has(body.kind)))),
    complete: from === 0 ? to : 0,
    closed: to === events.length,
    roots: roots.map((root, at) => ({ root, digest: trustRootDigest(root, sha256), index: indexOf(told, at === 0 ? 'first root' : 'second root') })),
    rosters: rosters.map((roster, at) => ({ roster, digest: rosterDigest(roster, sha256), index: indexOf(told, at === 0 ? 'first roster' : 'second roster') })),
    policies: policies.map(({ revision, digest, text }, at) => ({ revision, digest, bytes: utf8(text), index: applied[at] ?? 0 })),
    cryptography: { sha256, verify },
  };
}

const inForce: ReadonlySet<string> = new Set(['trust_root_changed', 'roster_changed', 'policy_applied']);

const unsigned = { envelope: { payloadType: '', payload: '', signatures: [] }, index: 0, previous: '0'.repeat(64) as Entry['leaf']['previous'] };

const entryOf = ({ kind, predicate }: ToldLedger['events'][number], index: number, anchor: boolean): Entry => {
  const stated: unknown = predicate;
  return { index, leaf: unsigned, leafHash: new Uint8Array(32), body: bodyOf(kind, stated as ReceiptPredicate<typeof kind>), fault: undefined, anchor };
};
