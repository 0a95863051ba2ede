import type pg from 'pg';

import { parseCheckpoint, originOf } from '@/lib/ledger/checkpoint';
import { bytesEqual, toHex } from '@/lib/shared/encoding';
import type { WorkspaceId } from '@/lib/shared/ids';

import { checkExtraSpans, checkFindable } from './check-findable';
import { checkWritten } from './check-written';
import { big, bytes, int, text, UnreadableRow, type Row } from './columns';
import { BesideChecks } from './fsck-beside';
import { fault, type LogFault } from './fsck-fault';
import { packFrontier, zeroHash } from './head-row';
import { LogRebuild } from './log-rebuild';
import { readReceiptRow, receiptColumns } from './receipt-row';
import { columnList } from './statements';

/** A tree head that somebody outside of the database has kept. */
export type Pin = { readonly size: bigint; readonly root: Uint8Array };

export type FsckReport =
  | { readonly ok: true; readonly size: bigint; readonly root: Uint8Array }
  | { readonly ok: false; readonly fault: LogFault };

const batchRows = 1000;

export type FsckOptions = {
  /** `all` also compares contents, steps of sessions, and the rows of actions, requests, votes and deferrals with the receipts. */
  readonly scope?: 'log' | 'all';
  /** Called after each batch with the number of receipts that are checked. */
  readonly onProgress?: (checked: number) => void;
};

/**
 * Rebuilds the log from its stored envelopes and compares everything stored beside them: leaf hashes, links, ids and
 * columns, tiles, checkpoints, head. Reads one snapshot, writes nothing, and ends at the first difference. It does not
 * check signatures: a log that its database's owner has computed anew shows only against `pins`, or in `verify`.
 * Memory stays bounded by a batch of rows, however long the log is.
 */
export async function fsck(pool: pg.Pool, workspace: WorkspaceId, pins: readonly Pin[] = [], { scope = 'log', onProgress = () => undefined }: FsckOptions = {}): Promise<FsckReport> {
  const client = await pool.connect();
  try {
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
    const beside = scope === 'all' ? new BesideChecks(client, workspace) : null;
    const report = await checkLog({ client, workspace, pins, rebuild: new LogRebuild(workspace), beside, onProgress });
    await client.query('COMMIT');
    client.release();
    return report;
  } catch (error) {
    client.release(true);
    throw error;
  }
}

type Check = {
  readonly client: pg.ClientBase;
  readonly workspace: WorkspaceId;
  readonly pins: readonly Pin[];
  readonly rebuild: LogRebuild;
  readonly beside: BesideChecks | null;
  readonly onProgress: (checked: number) => void;
};

async function checkLog(check: Check): Promise<FsckReport> {
  const { rebuild } = check;
  let wrong = await checkHeads(check, -1n, 0n);
  while (!wrong) {
    const from = rebuild.frontier.size;
    const batch = await ask(check, `SELECT ${columnList(receiptColumns)} FROM "receipts" WHERE "workspace_id" = $1 AND "index" >= $2
      ORDER BY "index" LIMIT ${String(batchRows)}`, from === 0 ? '-9223372036854775808' : from);
    if (batch.length === 0) break;
    wrong = await addRows(check, batch);
  }
  wrong ??= (await checkEnd(check)) ?? (await checkExtraTiles(check)) ?? (await checkExtraSpans(check.client, check.workspace, rebuild.frontier.size)) ?? (await check.beside?.end(rebuild.frontier.size)) ?? (await checkContext(check));
  return wrong ? { ok: false, fault: wrong } : { ok: true, size: BigInt(rebuild.frontier.size), root: rebuild.root };
}

/** Rows one by one, stopping at every size that a checkpoint or pin names, to compare roots there. */
async function addRows(check: Check, batch: readonly Row[]): Promise<LogFault | undefined> {
  const { rebuild } = check;
  const from = BigInt(rebuild.frontier.size);
  const heads = await headsBetween(check, from, from + BigInt(batch.length));
  for (const row of batch) {
    const wrong = readRow(rebuild, row) ?? compareHeads(heads.get(rebuild.frontier.size) ?? [], rebuild);
    if (wrong) return wrong;
  }
  check.onProgress(rebuild.frontier.size);
  const read = rebuild.takeRead();
  return (await checkTiles(check)) ?? (await checkFindable(check.client, check.workspace, Number(from), rebuild.frontier.size)) ?? (await check.beside?.check(read));
}

function readRow(rebuild: LogRebuild, row: Row): LogFault | undefined {
  try {
    return rebuild.add(readReceiptRow(row));
  } catch (error) {
    if (error instanceof UnreadableRow) return fault('changed', rebuild.frontier.size, error.message);
    throw error;
  }
}

type StatedHead = { readonly from: 'checkpoint' | 'pin'; readonly size: bigint; readonly root: Uint8Array | undefined };

async function checkHeads(check: Check, after: bigint, upTo: bigint): Promise<LogFault | undefined> {
  return compareHeads([...(await headsBetween(check, after, upTo)).values()].flat(), check.rebuild);
}

/** Heads that are stated for sizes over `after` up to `upTo`, by size. A checkpoint that states another log or size has no root. */
async function headsBetween({ client, workspace, pins }: Check, after: bigint, upTo: bigint): Promise<ReadonlyMap<number, StatedHead[]>> {
  const sql = `SELECT "size", "note" FROM "checkpoints" WHERE "workspace_id" = $1 AND "size" > $2 AND "size" <= $3 ORDER BY "size"`;
  const rows = (await client.query<Record<string, unknown>>(sql, [workspace, after, upTo])).rows;
  const heads: StatedHead[] = rows.map((row) => {
    const size = big(row['size']);
    const read = parseCheckpoint(text(row['note']));
    const own = read.ok && read.value.origin === originOf(workspace) && BigInt(read.value.size) === size;
    return { from: 'checkpoint', size, root: own ? read.value.root : undefined };
  });
  for (const { size, root } of pins) if (size > after && size <= upTo) heads.push({ from: 'pin', size, root });
  const bySize = new Map<number, StatedHead[]>();
  for (const head of heads.sort((a, b) => Number(a.size - b.size))) {
    const same = bySize.get(Number(head.size));
    if (same) same.push(head);
    else bySize.set(Number(head.size), [head]);
  }
  return bySize;
}

function compareHeads(heads: readonly StatedHead[], rebuild: LogRebuild): LogFault | undefined {
  for (const { from, size, root } of heads) {
    if (!root) return fault(from, size, `The ${from} of size ${String(size)} does not read as one of this log.`);
    if (!bytesEqual(root, rebuild.root)) {
      return fault(from, size, `The ${from} of size ${String(size)} has the root ${toHex(root)}; the receipts give ${toHex(rebuild.root)}.`);
    }
  }
  return undefined;
}

async function checkTiles({ client, workspace, rebuild }: Check): Promise<LogFault | undefined> {
  const tiles = rebuild.takeTiles();
  if (tiles.length === 0) return undefined;
  const sql = `SELECT t."root" FROM unnest($2::int4[], $3::int8[]) WITH ORDINALITY AS w("level", "index", "nr")
    LEFT JOIN "ledger_tiles" AS t ON t."workspace_id" = $1 AND t."level" = w."level" AND t."index" = w."index" ORDER BY w."nr"`;
  const values = [workspace, tiles.map(({ level }) => level), tiles.map(({ index }) => index)];
  const stored = (await client.query<Record<string, unknown>>(sql, values)).rows;
  for (const [i, { level, index, root }] of tiles.entries()) {
    const value = stored[i]?.['root'];
    if (value instanceof Uint8Array && bytesEqual(bytes(value), root)) continue;
    return fault('tile', index * 256 ** level, `Tile ${String(index)} of level ${String(level)} is missing or has another root.`);
  }
  return undefined;
}

/** Tiles that the log has no leaves for. */
async function checkExtraTiles(check: Check): Promise<LogFault | undefined> {
  const [row] = await ask(
    check,
    `SELECT "level", "index" FROM "ledger_tiles" WHERE "workspace_id" = $1 AND ("level" < 1 OR "index" < 0 OR "index" >= floor($2::int8 / (256::numeric ^ "level")))
     ORDER BY "level", "index" LIMIT 1`,
    check.rebuild.frontier.size,
  );
  return row && fault('tile', check.rebuild.frontier.size, `Tile ${String(big(row['index']))} of level ${String(int(row['level']))} covers leaves that are not there.`);
}

/** Beside the log: what follows from the context of sessions. */
async function checkContext({ client, workspace, rebuild }: Check): Promise<LogFault | undefined> {
  const lost = await checkWritten(client, workspace);
  return lost === undefined ? undefined : fault('context', rebuild.frontier.size, lost);
}

/** What was stated of a longer log than the rows give, and then the head row itself. */
async function checkEnd(check: Check): Promise<LogFault | undefined> {
  const { client, workspace, rebuild } = check;
  const size = BigInt(rebuild.frontier.size);
  const [later] = [...(await headsBetween(check, size, 2n ** 63n - 1n)).values()].flat();
  if (later) return fault('missing', size, `A ${later.from} states ${String(later.size)} receipts.`);
  const sql = `SELECT "size", "last_hash", "frontier", "logged_at" >= $2::timestamptz AS "in_time" FROM "ledger_heads" WHERE "workspace_id" = $1`;
  const [head] = (await client.query<Record<string, unknown>>(sql, [workspace, rebuild.lastAt === '' ? '-infinity' : rebuild.lastAt])).rows;
  if (!head) return fault('head', size, 'The head of the log is gone.');
  const stated = big(head['size']);
  if (stated > size) return fault('missing', size, `The head states ${String(stated)} receipts.`);
  if (stated < size) return fault('head', stated, `The head states ${String(stated)} receipts, but ${String(size)} are stored.`);
  if (!bytesEqual(bytes(head['last_hash']), rebuild.lastHash ?? zeroHash)) return fault('head', size, 'The head names another last leaf.');
  if (!bytesEqual(bytes(head['frontier']), packFrontier(rebuild.frontier))) return fault('head', size, 'The head has another frontier.');
  if (head['in_time'] !== true) return fault('head', size, 'The head’s time is before the last receipt’s.');
  return undefined;
}

async function ask({ client, workspace }: Check, sql: string, value: unknown): Promise<readonly Row[]> {
  return (await client.query<Record<string, unknown>>(sql, [workspace, value])).rows;
}
