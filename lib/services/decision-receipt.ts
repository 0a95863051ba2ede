import type { Snapshot } from '@/lib/context/snapshot';
import type { Decision, RuleTrace } from '@/lib/engine/decision';
import { contentDigest } from '@/lib/ledger/content';
import type { Sha256 } from '@/lib/shared/encoding';
import type { Digest } from '@/lib/shared/ids';
import type { Json } from '@/lib/shared/json';

import type { ReceiptBodyOf } from './sign-receipt';

type Body = ReceiptBodyOf<'action_decided'>;

/** The part of a decision's receipt that the engine's answer and its snapshot give; names at every depth in canonical order. */
export function decidedBody(parts: {
  readonly sha256: Sha256;
  readonly decision: Decision;
  readonly snapshot: Snapshot;
  readonly snapshotDigest: Digest;
  readonly snapshotSalt: string;
  readonly policy: { readonly revision: number; readonly digest: Digest } | null;
  readonly epoch: bigint;
  /** Digests of the sealed arguments, by parameter: their values must not stand in a receipt. */
  readonly seals: ReadonlyMap<string, Digest>;
  /** The same of fields that are read from such arguments (`recipient`, `target`). */
  readonly sealedFields?: ReadonlyMap<string, Digest>;
}): Omit<Body, 'tool' | 'operation' | 'action' | 'cause' | 'state'> {
  const { decision, snapshot } = parts;
  return {
    alignment: decision.alignment,
    attributes: snapshot.attributes.map(({ subject, name, source, observed_at, value, unavailable }) => ({
      name,
      observed_at,
      source,
      subject,
      // Salted like the snapshot that holds the value: an owner's name must not be guessable from a receipt.
      value_digest: unavailable ? null : contentDigest(parts.sha256, parts.snapshotSalt, value),
    })),
    classification: decision.classification,
    code: decision.code,
    context_head: snapshot.session.head,
    context_seq: snapshot.session.seq,
    decision: decision.decision,
    determining: decision.determining.map((rule) => ({ id: rule.id, read: readOf(rule, parts.seals, parts.sealedFields) })),
    engine_version: decision.engine_version,
    epoch: Number(parts.epoch),
    evaluability: decision.evaluability,
    identity: snapshot.identity,
    impact: decision.impact,
    policy: parts.policy,
    reason: decision.reason,
    // What each was read from stands in the snapshot, whose digest this receipt names.
    signals: decision.signals.map(({ name, score, weight }) => ({ name, score, weight })),
    snapshot_digest: parts.snapshotDigest,
    tables: decision.tables,
    unknown: decision.unknown.map(({ id, missing }) => ({ id, missing })),
  };
}

function readOf(rule: RuleTrace, seals: ReadonlyMap<string, Digest>, fields: ReadonlyMap<string, Digest> = new Map()): { field: string; value: Json }[] {
  return rule.read.map(({ field, value }) => {
    const name = /^parameters\.([^.[]+)/.exec(field)?.[1];
    const seal = name === undefined ? fields.get(field) : seals.get(name);
    return { field, value: seal === undefined ? value : { $sealed: seal } };
  });
}
