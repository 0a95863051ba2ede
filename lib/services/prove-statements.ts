import { verifyLowering } from '@/lib/approvals/verify-lowering';
import { isPersonsSource } from '@/lib/approvals/supplied-fact';
import type { SignatoryContext } from '@/lib/approvals/verify-signatory';
import { verifySuppliedFact } from '@/lib/approvals/verify-supplied-fact';
import { personById } from '@/lib/authority/roster-lookup';
import type { TrustRoot } from '@/lib/authority/trust-root';
import type { ChainedEntry, ContextEntry } from '@/lib/context/entry';
import { isLowering } from '@/lib/context/label-ledger';
import type { SessionRow } from '@/lib/ports/session-store';
import { canonicalJson } from '@/lib/shared/canonical-json';
import { envelopePayload } from '@/lib/shared/dsse';
import { digestOf } from '@/lib/shared/encoding';
import type { Digest } from '@/lib/shared/ids';
import { keyKinds } from '@/lib/shared/keys';
import { fail, ok, type Result } from '@/lib/shared/result';

import { openContent } from './action-content';
import { proveTyped } from './prove-typed';
import { rosterAt } from './roster-at';
import { statementReceipt, type StatementParts } from './statement-receipt';

type Spoken = Extract<ContextEntry, { kind: 'attribute' | 'lowering' }>;

/**
 * Every step by which a person loosened something (a lowered label, a fact that they supplied, a value that they typed into a held action) rests on a statement that this very
 * person signed, by a key that the roster of that position lists: checked by each process that acts on the session, whatever rows
 * and the other process's receipts say. `before`: the chain's head ahead of the first of these entries.
 */
export async function proveStatements(parts: StatementParts, root: TrustRoot, row: SessionRow, entries: readonly ChainedEntry[], before: Digest | null): Promise<Result<null>> {
  for (const [at, chained] of entries.entries()) {
    const { entry } = chained;
    if (entry.kind === 'person_value') {
      const typed = await proveTyped(parts, root, row, chained.hash, entry);
      if (!typed.ok) return broken(row, chained.seq, typed.error.detail);
      continue;
    }
    if (entry.kind !== 'lowering' && (entry.kind !== 'attribute' || !isPersonsWord(entry))) continue;
    const head = entries[at - 1]?.hash ?? before;
    const proven = await proveOne(parts, root, row, chained, entry, head);
    if (!proven.ok) return proven;
  }
  return ok(null);
}

async function proveOne(parts: StatementParts, root: TrustRoot, row: SessionRow, { hash, seq }: ChainedEntry, entry: Spoken, head: Digest | null): Promise<Result<null>> {
  const { sha256, verify } = parts.cryptography;
  const found = await statementReceipt(parts, root, row, entry.kind === 'lowering' ? 'label_lowered' : 'attributes_supplied', hash);
  if (!found.ok) return found;
  const { receipt, body: { predicate: { statement: signed } } } = found.value;
  if (!signed) return broken(row, seq, 'nobody signed it');
  const payload = envelopePayload(signed.envelope);
  if (!payload || signed.digest !== entry.statement || digestOf(sha256, payload) !== entry.statement) return broken(row, seq, 'it names another statement than its receipt holds');
  const roster = await rosterAt(parts, root, receipt.index);
  if (!roster.ok) return roster;
  // Which kind of key may sign is judged when it is made, and by verifiers: a root that asks for more later makes nobody's session unusable.
  const context: SignatoryContext = { person: (id) => personById(roster.value, id), keyKinds, verify };
  const { human } = row;
  if (entry.kind === 'lowering') {
    if (head === null) return broken(row, seq, 'nothing was there to lower');
    const lowering = await verifyLowering(signed.envelope, { ...context, session: { id: row.id, human, head, seq: seq - 1 }, registeredBy: null });
    if (!lowering.ok) return broken(row, seq, lowering.error.detail);
    const { label, to, signer } = lowering.value;
    const same = label === entry.label && to === entry.to && signer.person === entry.person && isLowering(label, to);
    return same ? ok(null) : broken(row, seq, 'the statement is over another label');
  }
  const fact = await verifySuppliedFact(signed.envelope, { ...context, session: { id: row.id, human }, registeredBy: null });
  if (!fact.ok) return broken(row, seq, fact.error.detail);
  const { subject, name, source, value_digest, signer } = fact.value;
  const same = subject === entry.subject && name === entry.name && source === entry.source && (value_digest === null) === entry.unavailable && signer.person === entry.person;
  if (!same) return broken(row, seq, 'the statement is over another fact');
  // They signed the value's digest. Erased content cannot be compared any more; the chain still vouches for the step.
  const value = value_digest === null ? null : await openContent(parts.content, sha256, value_digest);
  return value === null || canonicalJson(value) === canonicalJson(entry.value) ? ok(null) : broken(row, seq, 'the value is not the one that was signed');
}

const isPersonsWord = ({ person, source }: Extract<ContextEntry, { kind: 'attribute' }>): boolean => person !== undefined || isPersonsSource(source);

const broken = (row: SessionRow, seq: number, how: string) =>
  fail('ledger_broken', `Session ${row.id} cannot be relied on: at step ${String(seq)} ${how}`, { fix: 'Run "countersign fsck".' });
