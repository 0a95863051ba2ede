import { verifyLowering } from '@/lib/approvals/verify-lowering';
import { isPersonsSource } from '@/lib/approvals/supplied-fact';
import type { SignatoryContext } from '@/lib/approvals/verify-signatory';
import { verifySuppliedFact } from '@/lib/approvals/verify-supplied-fact';
import { personById } from '@/lib/authority/roster-lookup';
import type { TrustRoot } from '@/lib/authority/trust-root';
import type { ChainedEntry, ContextEntry } from '@/lib/context/entry';
import { isLowering } from '@/lib/context/label-ledger';
import type { AuthorityStore } from '@/lib/ports/authority-store';
import type { ContentStore } from '@/lib/ports/content-store';
import type { LedgerReader, LogRow } from '@/lib/ports/ledger-reader';
import type { SessionRow } from '@/lib/ports/session-store';
import { canonicalJson } from '@/lib/shared/canonical-json';
import { envelopePayload } from '@/lib/shared/dsse';
import { digestOf } from '@/lib/shared/encoding';
import type { Digest } from '@/lib/shared/ids';
import { keyKinds } from '@/lib/shared/keys';
import { fail, ok, type Result } from '@/lib/shared/result';

import { openContent } from './action-content';
import type { Proving } from './proven-place';
import { provenAt } from './proven-receipt';
import { rosterAt } from './roster-at';

const page = 100;

export type StatementParts = {
  readonly reader: LedgerReader;
  readonly cryptography: Proving;
  readonly authority: Pick<AuthorityStore, 'rosters'>;
  readonly content: ContentStore;
};
type Spoken = Extract<ContextEntry, { kind: 'attribute' | 'lowering' }>;

/**
 * Every step by which a person loosened something (a lowered label, a fact that they supplied) rests on a statement that this very
 * person signed, by a key that the roster of that position lists: checked by each process that acts on the session, whatever rows
 * and the other process's receipts say. `before`: the chain's head ahead of the first of these entries.
 */
export async function proveStatements(parts: StatementParts, root: TrustRoot, row: SessionRow, entries: readonly ChainedEntry[], before: Digest | null): Promise<Result<null>> {
  for (const [at, chained] of entries.entries()) {
    const { entry } = chained;
    if (entry.kind !== 'lowering' && (entry.kind !== 'attribute' || !isPersonsWord(entry))) continue;
    const head = entries[at - 1]?.hash ?? before;
    const proven = await proveOne(parts, root, row, chained, entry, head);
    if (!proven.ok) return proven;
  }
  return ok(null);
}

async function proveOne(parts: StatementParts, root: TrustRoot, row: SessionRow, { hash, seq }: ChainedEntry, entry: Spoken, head: Digest | null): Promise<Result<null>> {
  const { sha256, verify } = parts.cryptography;
  const found = await receiptOf(parts, root, row, entry.kind === 'lowering' ? 'label_lowered' : 'attributes_supplied', hash);
  if (!found.ok) return found;
  const { receipt, signed } = found.value;
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

/** The receipt that states the chain's head after the step, as a service signed it, with the person's statement. */
async function receiptOf({ reader, cryptography }: StatementParts, root: TrustRoot, row: SessionRow, kind: 'label_lowered' | 'attributes_supplied', head: Digest) {
  for (let before: bigint | undefined; ; ) {
    const { rows, next }: { readonly rows: readonly LogRow[]; readonly next: bigint | null } = await reader.search({ session: row.id, kind }, { limit: page, ...(before === undefined ? {} : { before }) });
    for (const receipt of rows) {
      const body = await provenAt(receipt, root, cryptography);
      if (!body.ok) return body;
      const { value } = body;
      if ((value.kind !== 'label_lowered' && value.kind !== 'attributes_supplied') || value.predicate.context_head !== head) continue;
      const signed = value.predicate.statement;
      if (signed && value.predicate.session === row.id) return ok({ receipt, signed });
    }
    if (next === null) return fail('ledger_broken', `No receipt of session ${row.id} holds what a person signed for a step of it.`, { fix: 'Run "countersign fsck".' });
    before = next;
  }
}

const broken = (row: SessionRow, seq: number, how: string) =>
  fail('ledger_broken', `Session ${row.id} cannot be relied on: at step ${String(seq)} ${how}`, { fix: 'Run "countersign fsck".' });
