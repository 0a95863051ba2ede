import type { TrustRoot } from '@/lib/authority/trust-root';
import type { Cryptography } from '@/lib/authority/verify-trust-root';
import type { ReceiptBody, ReceiptPredicate } from '@/lib/ledger/receipt-predicate';
import { readStatement } from '@/lib/ledger/statement';
import type { LedgerReader, LogRow } from '@/lib/ports/ledger-reader';
import { parseEnvelope } from '@/lib/shared/dsse';
import type { Timestamp } from '@/lib/shared/timestamp';
import { faultOfRelease } from '@/lib/verify/switch-release';

import type { ThrownSwitch } from './in-force';
import { provenReceipt } from './proven-receipt';
import { unreadReceipts } from './unread-receipts';

/** What the log says was stopped, and under which name each vouching credential was made. Rows can only add to it. */
export type Tightened = {
  readonly switches: readonly ThrownSwitch[];
  readonly revoked: ReadonlySet<string>;
  /** Keys that their people revoked. */
  readonly keys: ReadonlySet<string>;
  readonly subjects: ReadonlyMap<string, string>;
  /** Agents that were suspended, and since when. Nothing takes one back to work yet: that would loosen, so owners would have to sign it. */
  readonly agents: ReadonlyMap<string, Timestamp>;
};

/**
 * A throw that is on. One that a service signed gives way only to one that it signed later, by the epoch that both state: an older throw that is
 * written again behind it, and whose release an owner did sign, would otherwise take its place and be released by that.
 */
type Standing = { readonly told: ReceiptPredicate<'switch_thrown'>; readonly proven: boolean };

const nothing: Tightened = { switches: [], revoked: new Set(), keys: new Set(), subjects: new Map(), agents: new Map() };

/**
 * Reads switches, credentials, suspended agents and revoked keys from the log, so that a row that is set back or renamed releases and promotes nothing.
 * Each call reads only what came since the last. What stops something counts as it stands; what releases or names
 * something counts only when a service of this workspace signed it, and a release only with the signature of an owner of now.
 * Without a root everything is denied anyway.
 */
export function tightenedInLog(log: Pick<LedgerReader, 'search'>, cryptography: Cryptography): (root: TrustRoot | null, size: bigint) => Promise<Tightened> {
  const thrown = new Map<string, Standing>();
  const revoked = new Set<string>();
  const keys = new Set<string>();
  const subjects = new Map<string, string>();
  const agents = new Map<string, Timestamp>();
  const seen = { switch_thrown: -1n, credential_administered: -1n, key_removed: -1n };

  async function takeSwitch(row: LogRow, told: ReceiptPredicate<'switch_thrown'>, root: TrustRoot): Promise<void> {
    const key = `${told.scope} ${told.target ?? ''}`;
    const standing = thrown.get(key);
    const proven = (await provenReceipt(row, root, cryptography)).ok;
    if (told.on) {
      const newer = proven && (standing?.proven !== true || standing.told.epoch < told.epoch);
      if (!standing || newer) thrown.set(key, { told, proven });
    } else if (standing && proven && (await faultOfRelease(told, standing.told, root, cryptography)) === undefined) thrown.delete(key);
  }

  async function take(row: LogRow, root: TrustRoot): Promise<void> {
    const body = bodyOf(row, cryptography);
    if (body?.kind === 'switch_thrown') await takeSwitch(row, body.predicate, root);
    if (body?.kind === 'key_removed' && body.predicate.cause === 'revoked') keys.add(body.predicate.key);
    if (body?.kind === 'credential_administered') {
      const { credential, change, kind, subject, at } = body.predicate;
      if (change === 'revoked') revoked.add(credential);
      else if (change === 'suspended' && kind === 'agent') agents.set(subject, agents.get(subject) ?? at);
      else if (change === 'created' && kind !== 'agent' && !subjects.has(credential) && (await provenReceipt(row, root, cryptography)).ok) subjects.set(credential, subject);
    }
  }

  return async (root, size) => {
    if (!root) return nothing;
    for (const kind of ['switch_thrown', 'credential_administered', 'key_removed'] as const) {
      for (const row of await unreadReceipts(log, kind, seen[kind], size)) {
        await take(row, root);
        seen[kind] = row.index;
      }
    }
    const switches = [...thrown.values()].map(({ told: { scope, target = '', by, at, reason, receipt } }): ThrownSwitch => ({ scope, subject: target, thrown_by: by.id, thrown_at: at, reason, receipt }));
    return { switches, revoked: new Set(revoked), keys: new Set(keys), subjects: new Map(subjects), agents: new Map(agents) };
  };
}

function bodyOf(row: LogRow, { sha256 }: Cryptography): ReceiptBody | undefined {
  const envelope = parseEnvelope(row.envelope);
  const body = envelope.ok ? readStatement(sha256, envelope.value) : envelope;
  return body.ok ? body.value : undefined;
}
