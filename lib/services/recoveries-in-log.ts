import { readRecovery, recoveryNoticeSeconds, verifyTrustRoots, type Cryptography } from '@/lib/authority/verify-trust-root';
import type { VerifiedTrustRoot } from '@/lib/authority/trust-root';
import { readStatement } from '@/lib/ledger/statement';
import type { LedgerReader, LogRow } from '@/lib/ports/ledger-reader';
import type { RecoveryMemory, SeenRecovery } from '@/lib/ports/recovery-memory';
import { parseEnvelope, type Envelope } from '@/lib/shared/dsse';
import type { Digest } from '@/lib/shared/ids';
import type { fail } from '@/lib/shared/result';
import { isTimestamp } from '@/lib/shared/timestamp';

import { everyReceipt, receiptsOfKind } from './every-receipt';
import { joinedRecoveries } from './joined-recoveries';
import { noticeOver, provenNotice } from './prove-notice';
import { isIncluded, type ProvenHead } from './proven-place';
import { provenAt } from './proven-receipt';
import type { RootsInLog } from './roots-in-log';

export type RootsSeen = {
  readonly roots: readonly VerifiedTrustRoot[];
  readonly fault?: ReturnType<typeof fail>;
  /** Announced, not cancelled, and for the version after the one in force. */
  readonly open: readonly SeenRecovery[];
  /** Digests of roots that the recovery key brought into force. */
  readonly recovered: ReadonlySet<Digest>;
  /** This process's own clock has to reach this, in milliseconds, before a root that is there already counts. */
  readonly waitsUntilMs: number | null;
};

type Parts = {
  readonly log: Pick<LedgerReader, 'search' | 'leaves' | 'hashes'>;
  readonly cryptography: Cryptography;
  readonly memory: RecoveryMemory;
  /** The newest of a verified chain, with the service keys of all of it. */
  readonly placed: RootsInLog['placed'];
};

/**
 * Follows a chain of trust roots across recoveries. A root that only the recovery key signed counts when the log announced it a day before
 * by the log's time and this state directory has known of it for a day by its own clock, and the leaves between prove that no owner
 * cancelled. `pinnedVersion`: up to there this state directory has been through it already, so its own clock, `now`, is not asked again.
 */
export function recoveriesInLog(parts: Parts): (envelopes: readonly Envelope[], fingerprint: Digest, pinnedVersion: number, head: ProvenHead, now: string) => Promise<RootsSeen> {
  const { log, cryptography, memory, placed } = parts;
  const proven = new Map<Digest, number>();

  /** What is announced and cancelled now, beside what was before. Only what the recovery key and a service signed is taken in. */
  async function lookAround(roots: readonly VerifiedTrustRoot[], head: ProvenHead, now: string): Promise<readonly SeenRecovery[]> {
    const kept = await memory.read();
    const known = kept.ok ? kept.value : [];
    const [announced, cancelled] = await Promise.all([receiptsOfKind(log, 'recovery_announced'), receiptsOfKind(log, 'recovery_cancelled')]);
    if (announced.length === 0 && known.length === 0) return known;
    const fresh: SeenRecovery[] = [];
    for (const row of announced) {
      const one = known.some(({ index, receipt }) => index === Number(row.index) && receipt === row.id) ? undefined : await announcementIn(row, roots, head, now);
      if (one) fresh.push(one);
    }
    const ended = new Set(cancelled.flatMap((row) => cancelledBy(row)));
    const all = joinedRecoveries(known, fresh).map((one) => (ended.has(one.digest) ? { ...one, cancelled: true } : one));
    // A memory that cannot be read is not written over: until it is mended, the day begins anew with each look.
    if (kept.ok && (fresh.length > 0 || all.some(({ cancelled: now }, at) => now !== known[at]?.cancelled))) await memory.keep(all);
    return all;
  }

  async function announcementIn(row: LogRow, roots: readonly VerifiedTrustRoot[], head: ProvenHead, now: string): Promise<SeenRecovery | undefined> {
    const body = bodyOf(row);
    if (body?.kind !== 'recovery_announced') return undefined;
    const { digest, version, previous_digest, envelope, at, by, receipt } = body.predicate;
    const before = roots.findIndex((one) => one.digest === previous_digest);
    const base = roots[before];
    const signers = base && (await placed(roots.slice(0, before + 1), head));
    if (!base || !signers?.ok || !(await provenAt(row, signers.value.root, { ...cryptography, isAt: (leaf) => isIncluded(log, cryptography.sha256, leaf, head) })).ok) return undefined;
    const next = await readRecovery(envelope, base, cryptography);
    if (!next.ok || next.value.digest !== digest || next.value.root.version !== version || !isTimestamp(now)) return undefined;
    return { index: Number(row.index), receipt, digest, version, by: by.id, announced_at: at, seen_at: now, cancelled: false };
  }

  const bodyOf = (row: LogRow) => {
    const envelope = parseEnvelope(row.envelope);
    const body = envelope.ok ? readStatement(cryptography.sha256, envelope.value) : envelope;
    return body.ok ? body.value : undefined;
  };
  const cancelledBy = (row: LogRow): readonly Digest[] => {
    const body = bodyOf(row);
    return body?.kind === 'recovery_cancelled' ? [body.predicate.digest] : [];
  };

  /** Seconds of notice by the log; undefined where nothing proves them. */
  async function noticeOf(one: SeenRecovery, roots: readonly VerifiedTrustRoot[], head: ProvenHead): Promise<number | undefined> {
    const known = proven.get(one.digest);
    if (known !== undefined) return known;
    const signers = await placed(roots, head);
    if (!signers.ok) return undefined;
    for await (const row of everyReceipt(log, { kind: 'trust_root_changed' })) {
      const body = bodyOf(row);
      if (body?.kind !== 'trust_root_changed' || body.predicate.digest !== one.digest) continue;
      const seconds = await provenNotice({ log, cryptography }, one, Number(row.index), head, signers.value.root);
      if (!seconds.ok) continue;
      proven.set(one.digest, seconds.value);
      return seconds.value;
    }
    return undefined;
  }

  return async (envelopes, fingerprint, pinnedVersion, head, now) => {
    const notices = new Map<Digest, number>();
    let waitsUntilMs: number | null = null;
    for (;;) {
      const { roots, fault } = await verifyTrustRoots(envelopes, fingerprint, cryptography, (digest) => notices.get(digest));
      const newest = roots.at(-1);
      const seen = newest ? await lookAround(roots, head, now) : [];
      const next = envelopes[roots.length];
      const recovery = fault && newest && next ? await readRecovery(next, newest, cryptography) : undefined;
      const stop = { roots, ...(fault && { fault }), open: openOf(seen, newest), recovered: new Set(notices.keys()), waitsUntilMs };
      if (!recovery?.ok || notices.has(recovery.value.digest)) return stop;
      const { digest, root } = recovery.value;
      // What this state directory has served was through its day: a late or forged cancellation does not undo it, and the log is proved all the same.
      const served = root.version <= pinnedVersion;
      const candidates = seen.filter((one) => one.digest === digest);
      if (!served && candidates.some(({ cancelled }) => cancelled)) return stop;
      let seconds: number | undefined;
      for (const one of candidates) {
        const { own } = noticeOver(one);
        if (!served && Date.parse(now) < own) waitsUntilMs = Math.min(waitsUntilMs ?? own, own);
        else seconds ??= await noticeOf(one, roots, head);
      }
      if (seconds === undefined || seconds < recoveryNoticeSeconds) return { ...stop, waitsUntilMs };
      notices.set(digest, seconds);
    }
  };
}

const openOf = (seen: readonly SeenRecovery[], newest: VerifiedTrustRoot | undefined): readonly SeenRecovery[] =>
  newest ? seen.filter(({ version, cancelled }) => !cancelled && version === newest.root.version + 1) : [];
