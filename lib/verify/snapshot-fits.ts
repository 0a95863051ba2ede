import { isPersonsSource } from '@/lib/approvals/supplied-fact';
import { gainedLabels } from '@/lib/context/label-ledger';
import type { Snapshot } from '@/lib/context/snapshot';
import { contentDigest } from '@/lib/ledger/content';
import type { ReceiptPredicate } from '@/lib/ledger/receipt-predicate';
import { asJson } from '@/lib/shared/as-json';
import { canonicalJson } from '@/lib/shared/canonical-json';
import type { Sha256 } from '@/lib/shared/encoding';
import type { Digest } from '@/lib/shared/ids';
import type { Json } from '@/lib/shared/json';

import type { Before } from './session-trace';

/** A session with more labels than this may have given up single ones for the highest level. */
const mostCompared = 400;

export type SnapshotBeside = {
  readonly decided: ReceiptPredicate<'action_decided'>;
  readonly snapshotSalt: string;
  readonly before: Before;
  readonly find: (digest: Digest) => Json | undefined;
};

/**
 * A verdict that follows from its snapshot says nothing when the snapshot is of another step, another identity, or of a session with less
 * behind it than its receipts tell. Gives the first thing that does not fit.
 */
export function differenceOfSnapshot(snapshot: Snapshot, { decided, snapshotSalt, before, find }: SnapshotBeside, sha256: Sha256): string | undefined {
  const { session, identity } = snapshot;
  if (session.id !== decided.identity.session || session.head !== decided.context_head || session.seq !== decided.context_seq) return 'The snapshot is of another step of its session, or of another session.';
  if (canonicalJson(asJson(identity)) !== canonicalJson(asJson(decided.identity))) return 'The snapshot is of another identity than the decision.';
  const attributes = snapshot.attributes.map(({ subject, name, source, observed_at, value, unavailable }) => ({
    subject, name, source, observed_at, value_digest: unavailable ? null : contentDigest(sha256, snapshotSalt, value),
  }));
  if (canonicalJson(asJson(attributes)) !== canonicalJson(asJson(decided.attributes))) return 'The snapshot has other attributes than the decision names.';
  const [forgotten] = snapshot.labels.length > mostCompared ? [] : gainedLabels(snapshot.labels, before.labels);
  if (forgotten !== undefined) return `The decision was made without the label ${forgotten}, which an output of its session had.`;
  for (const [key, count] of before.permits) {
    if ((snapshot.prior.counts[key] ?? 0) < count) return `The decision was made on fewer permits of ${key} than its session had got.`;
  }
  return differenceOfFacts(snapshot, before, find);
}

/** What a person says counts for more than what an agent says, so it has to have been said: under their signature, in the log. */
function differenceOfFacts({ attributes }: Snapshot, { supplied }: Before, find: SnapshotBeside['find']): string | undefined {
  if (!supplied) return undefined;
  for (const { subject, name, source, value, unavailable } of attributes) {
    if (!isPersonsSource(source)) continue;
    const said = supplied.some((one) => {
      if (one.subject !== subject || one.name !== name || one.source !== source) return false;
      if (one.value_digest === null) return unavailable;
      const content = find(one.value_digest);
      return !unavailable && (content === undefined || canonicalJson(content) === canonicalJson(value));
    });
    if (!said) return `The decision rests on what ${source} never said of ${subject}.`;
  }
  return undefined;
}
