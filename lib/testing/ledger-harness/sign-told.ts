import type { SignedReceipt } from '@/lib/ports/ledger-store';
import type { ReceiptKind } from '@/lib/ledger/receipt-predicate';
import { receiptSigner, type ReceiptBodyOf } from '@/lib/services/sign-receipt';
import { parseEnvelope } from '@/lib/shared/dsse';

import { LedgerBuilder } from '../ledger-builder';
import { nodeSha256 as sha256, type TestKey } from '../node-crypto';
import { seededIds } from './cast';
import type { ToldEvent, ToldLedger } from './teller';

/** Receipts that are committed together, and whose key signs the head after them. */
export type SignedBatch = { readonly receipts: readonly SignedReceipt[]; readonly checkpoint: TestKey | undefined };

/** Signs every event as the services do. An event that fits no schema throws, as it does there. */
export async function signTold({ cast, events }: ToldLedger): Promise<readonly SignedBatch[]> {
  const batches: SignedBatch[] = [];
  let receipts: SignedReceipt[] = [];
  for (const event of events) {
    receipts.push(await signEvent(event, cast.workspace));
    if (!event.checkpoint) continue;
    batches.push({ receipts, checkpoint: event.checkpoint });
    receipts = [];
  }
  return receipts.length === 0 ? batches : [...batches, { receipts, checkpoint: undefined }];
}

function signEvent({ kind, predicate, signer }: ToldEvent, own: ToldLedger['cast']['workspace']): Promise<SignedReceipt> {
  const { workspace = own, at, receipt, ...body } = predicate;
  const sign = receiptSigner({ workspace: workspace as typeof own, sha256, signer: signer.signer, ids: seededIds('unused') });
  // What a test changed is checked where it matters: by the schema, when it is signed.
  return sign(kind, at, body as unknown as ReceiptBodyOf<ReceiptKind>, columnsOf(kind, predicate), receipt);
}

/** The columns by which receipts are found, as the services set them. */
function columnsOf(kind: ReceiptKind, predicate: ToldEvent['predicate']): Omit<SignedReceipt, 'id' | 'kind' | 'at' | 'envelope'> {
  const [identity, action, policy] = [recordIn(predicate, 'identity'), recordIn(predicate, 'action'), recordIn(predicate, 'policy')];
  const revision = kind === 'policy_applied' ? predicate['revision'] : policy['revision'];
  const determining = predicate['determining'];
  const columns = {
    session: textIn(predicate, 'session') ?? textIn(identity, 'session'),
    action: textIn(action, 'id'),
    agent: textIn(predicate, 'agent') ?? textIn(identity, 'agent'),
    person: textIn(predicate, kind === 'session_opened' ? 'human' : 'person'),
    tool: textIn(predicate, 'tool'),
    operation: textIn(predicate, 'operation'),
    decision: textIn(predicate, 'decision'),
    revision: typeof revision === 'number' ? revision : undefined,
    labels: kind === 'outcome_reported' ? predicate['labels'] : undefined,
    rules: Array.isArray(determining) ? determining.map((rule: { readonly id: string }) => rule.id) : undefined,
  };
  return Object.fromEntries(Object.entries(columns).filter(([, value]) => value !== undefined));
}

type Fields = Readonly<Record<string, unknown>>;

const textIn = (fields: Fields, name: string): string | undefined => (typeof fields[name] === 'string' ? fields[name] : undefined);

function recordIn(fields: Fields, name: string): Fields {
  const value = fields[name];
  return typeof value === 'object' && value !== null ? { ...value } : {};
}

/** The told log in memory, to take bundles out of it. */
export async function builtFrom(told: ToldLedger): Promise<LedgerBuilder> {
  const ledger = new LedgerBuilder();
  ledger.trustRoots.push(...told.trustRoots);
  ledger.rosters.push(...told.rosters);
  ledger.policies.push(...told.policies.map(({ signature, apply }) => ({ signature, apply })));
  ledger.contents.push(...told.contents);
  ledger.erased.push(...told.erased);
  for (const { receipts, checkpoint } of await signTold(told)) {
    for (const { envelope } of receipts) {
      const read = parseEnvelope(envelope);
      if (!read.ok) throw new Error(read.error.detail);
      await ledger.appendEnvelope(read.value);
    }
    if (checkpoint) await ledger.checkpoint(checkpoint);
  }
  return ledger;
}
