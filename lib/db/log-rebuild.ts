import { leafHashOf, leafText, previousOf } from '@/lib/ledger/leaf';
import { appendLeaf, emptyFrontier, rootOf, type Frontier } from '@/lib/ledger/merkle/frontier';
import type { ReceiptBody } from '@/lib/ledger/receipt-predicate';
import { readStatement } from '@/lib/ledger/statement';
import type { LogRow } from '@/lib/ports/ledger-reader';
import { parseEnvelope } from '@/lib/shared/dsse';
import { bytesEqual } from '@/lib/shared/encoding';

import { fault, type LogFault } from './fsck-fault';
import { sha256 } from './sha256';
import { columnFault } from './stated-columns';

export type Tile = { readonly level: number; readonly index: number; readonly root: Uint8Array };

/** A stored row, and what its receipt says. */
export type ReadRow = { readonly row: LogRow; readonly body: ReceiptBody };

/** The log grown again from its envelopes alone; everything that is stored beside them is held against it. */
export class LogRebuild {
  #frontier: Frontier = emptyFrontier;
  #lastHash: Uint8Array | undefined;
  #lastAt = '';
  #tiles: Tile[] = [];
  #read: ReadRow[] = [];

  constructor(private readonly workspace: string) {}

  get frontier(): Frontier {
    return this.#frontier;
  }

  get lastHash(): Uint8Array | undefined {
    return this.#lastHash;
  }

  get lastAt(): string {
    return this.#lastAt;
  }

  get root(): Uint8Array {
    return rootOf(sha256, this.#frontier);
  }

  /** The tiles that are complete since the last call. */
  takeTiles(): readonly Tile[] {
    return this.#tiles.splice(0);
  }

  /** The receipts that were added since the last call, read. */
  takeRead(): readonly ReadRow[] {
    return this.#read.splice(0);
  }

  /** Takes the next row; gives the first thing that is wrong with it. */
  add(row: LogRow): LogFault | undefined {
    const index = this.#frontier.size;
    if (row.index !== BigInt(index)) return fault('missing', index, `The next receipt stored is at ${String(row.index)}.`);
    const hash = leafHashOf(sha256, leafText(row.envelope, index, previousOf(this.#lastHash)));
    if (!bytesEqual(hash, row.leaf_hash)) return fault('changed', index, 'The leaf’s hash is not the one of its envelope, index and previous leaf.');
    const wrong = this.#checkStatement(row);
    if (wrong) return wrong;
    this.#lastHash = hash;
    this.#lastAt = row.at;
    this.#frontier = appendLeaf(sha256, this.#frontier, hash, (level, at, root) => this.#tiles.push({ level, index: at, root }));
    return undefined;
  }

  /**
   * A row whose hashes were computed anew still carries what was signed: the workspace it was signed for and the receipt's
   * own id. Ids are unique, so a receipt that is played again cannot state its own.
   */
  #checkStatement(row: LogRow): LogFault | undefined {
    const envelope = parseEnvelope(row.envelope);
    const read = envelope.ok ? readStatement(sha256, envelope.value) : envelope;
    if (!read.ok) return fault('changed', row.index, `The receipt cannot be read: ${read.error.detail}`);
    const { predicate } = read.value;
    if (predicate.workspace !== this.workspace) return fault('foreign', row.index, `The receipt was signed for ${predicate.workspace}.`);
    if (predicate.receipt !== row.id) return fault('replayed', row.index, `The receipt is ${predicate.receipt}, but is stored as ${row.id}.`);
    const wrong = columnFault(row, read.value);
    if (wrong !== undefined) return fault('columns', row.index, wrong);
    this.#read.push({ row, body: read.value });
    return undefined;
  }
}
