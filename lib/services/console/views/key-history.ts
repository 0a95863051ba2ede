import { readStatement } from '@/lib/ledger/statement';
import type { KeyHistory } from '@/lib/contracts/console/keys';
import type { KeyId, PersonId } from '@/lib/shared/ids';
import { parseEnvelope, payloadText } from '@/lib/shared/dsse';

import type { ConsoleParts } from '../console-parts';

const page = 100;
/** How many of a person's newest receipts are looked through for the last use of their keys. */
const mostPages = 3;

export type KeysInLog = { readonly history: Readonly<Record<string, KeyHistory>>; readonly revoked: readonly { readonly key: KeyId; readonly at: string }[] };

/** What the log tells of a person's keys: when each entered, when it last signed, and which they revoked. */
export async function keyHistory({ log, cryptography }: Pick<ConsoleParts, 'log' | 'cryptography'>, person: PersonId, keys: readonly KeyId[]): Promise<KeysInLog> {
  const added = new Map<string, string>();
  const used = new Map<string, string>();
  const revoked: { key: KeyId; at: string }[] = [];
  for (const kind of ['key_enrolled', 'key_removed'] as const) {
    for (const row of (await log.search({ person, kind }, { limit: page })).rows) {
      const envelope = parseEnvelope(row.envelope);
      const body = envelope.ok ? readStatement(cryptography.sha256, envelope.value) : envelope;
      if (!body.ok) continue;
      const { value } = body;
      if (value.kind === 'key_enrolled') added.set(value.predicate.key.id, row.at);
      if (value.kind === 'key_removed' && value.predicate.cause === 'revoked') revoked.push({ key: value.predicate.key, at: row.at });
    }
  }
  for (let [n, before]: [number, bigint | undefined] = [0, undefined]; n < mostPages && keys.some((key) => !used.has(key)); n++) {
    const found = await log.search({ person }, { limit: page, ...(before === undefined ? {} : { before }) });
    for (const { kind, envelope: text, at } of found.rows) {
      if (kind === 'key_enrolled' || kind === 'key_removed') continue;
      const envelope = parseEnvelope(text);
      const said = envelope.ok ? (payloadText(envelope.value) ?? '') : '';
      // A receipt names the key that signed what it is about; key ids are hashes and stand for nothing else.
      for (const key of keys) if (!used.has(key) && said.includes(key)) used.set(key, at);
    }
    if (found.next === null) break;
    before = found.next;
  }
  const history = Object.fromEntries(keys.map((key) => [key, { added: added.get(key) ?? null, used: used.get(key) ?? null }]));
  return { history, revoked };
}
