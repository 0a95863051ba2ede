import { leafHashOf, leafText, previousOf } from '@/lib/ledger/leaf';
import { appendLeaf, emptyFrontier, rootOf, type Frontier } from '@/lib/ledger/merkle/frontier';
import { readStatement } from '@/lib/ledger/statement';
import type { LogRow } from '@/lib/ports/ledger-reader';
import { parseEnvelope } from '@/lib/shared/dsse';
import { bytesEqual } from '@/lib/shared/encoding';

import { fault, type LogFault } from './fsck-fault';
import { sha256 } from './sha256';

export type Tile = { readonly level: number; readonly index: number; readonly root: Uint8Array };

/** The log grown again from its envelopes alone; everything that is stored beside them is held against it. */
export class LogRebuild {
  #frontier: Frontier = emptyFrontier;
  #lastHash: Uint8Array | undefined;
  #lastAt = '';
  #tiles: Tile[] = [];

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
    const { kind, predicate } = read.value;
    if (predicate.workspace !== this.workspace) return fault('foreign', row.index, `The receipt was signed for ${predicate.workspace}.`);
    if (predicate.receipt !== row.id) return fault('replayed', row.index, `The receipt is ${predicate.receipt}, but is stored as ${row.id}.`);
    const stated: Readonly<Record<string, unknown>> = {
      ...('identity' in predicate ? { session: predicate.identity.session, agent: predicate.identity.agent } : {}),
      ...predicate,
      kind,
      action: 'action' in predicate ? predicate.action.id : undefined,
    };
    // Lists and searches read these, and so does whoever asks whether a permit was used; they are no part of the leaf, so
    // they are compared one by one.
    for (const name of ['kind', 'at', 'session', 'action', 'agent', 'tool', 'operation', 'decision'] as const) {
      if (typeof stated[name] === 'string' && stated[name] !== row[name]) {
        return fault('columns', row.index, `The column ${name} says ${String(row[name])}, the receipt ${stated[name]}.`);
      }
    }
    const rules = 'determining' in predicate ? predicate.determining.map(({ id }) => id) : [];
    if (rules.join('\n') !== (row.rules ?? []).join('\n')) {
      return fault('columns', row.index, `The column rules says ${(row.rules ?? []).join(', ')}, the receipt ${rules.join(', ')}.`);
    }
    return undefined;
  }
}
