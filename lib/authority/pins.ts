import type { Digest } from '@/lib/shared/ids';
import { fail, ok, type Result } from '@/lib/shared/result';

import type { RevisionReference } from './policy-revision';

export const pinSchema = 'countersign/pin/v1';

/**
 * The highest that this process has served, kept outside the database (`pin.json`). A fingerprint alone (all else zero
 * or null) is what a process starts with that was only told whom to trust.
 */
export type Pin = {
  readonly schema: typeof pinSchema;
  readonly root_fingerprint: Digest;
  readonly root_version: number;
  readonly policy: RevisionReference | null;
  readonly roster_version: number;
  readonly log: { readonly size: number; readonly root: Digest } | null;
};

/** What the database shows, after its signatures were checked. */
export type ShownState = {
  readonly root_fingerprint: Digest;
  readonly root_version: number;
  readonly policy: RevisionReference | null;
  readonly roster_version: number;
  /** `root_at_pin`: the root at `pin.log.size` from which `root` is proved to go on; null when there are fewer leaves, no such pin, or no proof. */
  readonly log: { readonly size: number; readonly root: Digest; readonly root_at_pin: Digest | null };
};

export const pinOfFingerprint = (fingerprint: Digest): Pin => ({
  schema: pinSchema,
  root_fingerprint: fingerprint,
  root_version: 0,
  policy: null,
  roster_version: 0,
  log: null,
});

/**
 * Compares the database with the pin. `trust_root_unpinned` without a pin (one is never adopted from the database),
 * `rollback_detected` when anything is behind it, was replaced, or the log's past was rewritten.
 */
export function comparePin(pin: Pin | undefined, shown: ShownState): Result<null> {
  if (!pin) return fail('trust_root_unpinned', 'No trust root is pinned for this process.', { fix: 'Set COUNTERSIGN_PIN to the fingerprint of the trust root.' });
  if (shown.root_fingerprint !== pin.root_fingerprint) return rollback('Another trust root than the pinned one');
  const log = comparePinnedLog(pin, shown);
  if (!log.ok) return log;
  if (shown.root_version < pin.root_version) return rollback(`Trust root ${shown.root_version}, pinned is ${pin.root_version}`);
  if (shown.roster_version < pin.roster_version) return rollback(`Roster ${shown.roster_version}, pinned is ${pin.roster_version}`);
  if (pin.policy) {
    const revision = shown.policy?.revision ?? 0;
    if (revision < pin.policy.revision) return rollback(`Policy revision ${revision}, pinned is ${pin.policy.revision}`);
    if (revision === pin.policy.revision && shown.policy?.digest !== pin.policy.digest) return rollback(`Another text for policy revision ${revision}`);
  }
  return ok(null);
}

/** The log alone: what is known of it before anything in it is read. */
export function comparePinnedLog(pin: Pin, { log }: Pick<ShownState, 'log'>): Result<null> {
  if (!pin.log) return ok(null);
  if (log.size < pin.log.size) return rollback(`A log of ${log.size} receipts, pinned are ${pin.log.size}`);
  const past = log.size === pin.log.size ? log.root : log.root_at_pin;
  return past === pin.log.root ? ok(null) : rollback(`Another history for the first ${pin.log.size} receipts`);
}

/** The pin after serving what is shown. Fails as `comparePin` does: a pin never moves backwards. */
export function advancePin(pin: Pin, shown: ShownState): Result<Pin> {
  const compared = comparePin(pin, shown);
  if (!compared.ok) return compared;
  return ok({
    ...pin,
    root_version: shown.root_version,
    policy: shown.policy ?? pin.policy,
    roster_version: shown.roster_version,
    log: { size: shown.log.size, root: shown.log.root },
  });
}

const rollback = (what: string) =>
  fail('rollback_detected', `${what}: the database is behind what this process has served.`, {
    fix: 'Restore the newer database, or have an owner sign "countersign trust accept-rollback".',
  });
