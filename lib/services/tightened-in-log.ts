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

const page = 100;
const nothing: Tightened = { switches: [], revoked: new Set(), keys: new Set(), subjects: new Map(), agents: new Map() };

/**
 * Reads switches, credentials, suspended agents and revoked keys from the log, so that a row that is set back or renamed releases and promotes nothing.
 * Each call reads only what came since the last. What stops something counts as it stands; what releases or names
 * something counts only when a service of this workspace signed it, and a release only with the signature of an owner of now.
 * Without a root everything is denied anyway.
 */
export function tightenedInLog(log: Pick<LedgerReader, 'search'>, cryptography: Cryptography): (root: TrustRoot | null) => Promise<Tightened> {
  const thrown = new Map<string, ReceiptPredicate<'switch_thrown'>>();
  const revoked = new Set<string>();
  const keys = new Set<string>();
  const subjects = new Map<string, string>();
  const agents = new Map<string, Timestamp>();
  const seen = { switch_thrown: -1n, credential_administered: -1n, key_removed: -1n };

  async function unread(kind: keyof typeof seen): Promise<readonly LogRow[]> {
    const found: LogRow[] = [];
    for (let before: bigint | undefined; ; ) {
      const { rows, next }: Awaited<ReturnType<LedgerReader['search']>> = await log.search({ kind }, { limit: page, ...(before === undefined ? {} : { before }) });
      const fresh = rows.filter(({ index }) => index > seen[kind]);
      found.push(...fresh);
      if (next === null || fresh.length < rows.length) return found.reverse();
      before = next;
    }
  }

  async function take(row: LogRow, root: TrustRoot): Promise<void> {
    const body = bodyOf(row, cryptography);
    if (body?.kind === 'switch_thrown') {
      const key = `${body.predicate.scope} ${body.predicate.target ?? ''}`;
      const before = thrown.get(key);
      if (body.predicate.on) thrown.set(key, body.predicate);
      else if (before && (await provenReceipt(row, root, cryptography)).ok && (await faultOfRelease(body.predicate, before, root, cryptography)) === undefined) thrown.delete(key);
    }
    if (body?.kind === 'key_removed' && body.predicate.cause === 'revoked') keys.add(body.predicate.key);
    if (body?.kind === 'credential_administered') {
      const { credential, change, kind, subject, at } = body.predicate;
      if (change === 'revoked') revoked.add(credential);
      else if (change === 'suspended' && kind === 'agent') agents.set(subject, agents.get(subject) ?? at);
      else if (change === 'created' && kind !== 'agent' && !subjects.has(credential) && (await provenReceipt(row, root, cryptography)).ok) subjects.set(credential, subject);
    }
  }

  return async (root) => {
    if (!root) return nothing;
    for (const kind of ['switch_thrown', 'credential_administered', 'key_removed'] as const) {
      for (const row of await unread(kind)) {
        await take(row, root);
        seen[kind] = row.index;
      }
    }
    const switches = [...thrown.values()].map(({ scope, target = '', by, at, reason, receipt }): ThrownSwitch => ({ scope, subject: target, thrown_by: by.id, thrown_at: at, reason, receipt }));
    return { switches, revoked: new Set(revoked), keys: new Set(keys), subjects: new Map(subjects), agents: new Map(agents) };
  };
}

function bodyOf(row: LogRow, { sha256 }: Cryptography): ReceiptBody | undefined {
  const envelope = parseEnvelope(row.envelope);
  const body = envelope.ok ? readStatement(sha256, envelope.value) : envelope;
  return body.ok ? body.value : undefined;
}
