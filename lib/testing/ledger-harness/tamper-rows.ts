import type pg from 'pg';

import { packFrontier } from '@/lib/db/head-row';
import { originOf } from '@/lib/ledger/checkpoint';
import { leafHashOf, leafText, previousOf } from '@/lib/ledger/leaf';
import { appendLeaf, emptyFrontier } from '@/lib/ledger/merkle/frontier';

import { nodeSha256 as sha256 } from '../node-crypto';
import { eventOf, indexOf, type Surfaces, type Tampering } from './tampering';
import type { ToldLedger } from './teller';

type Rows = Extract<Tampering, { readonly rows: unknown }>['rows'];

/** SQL in which `:name` stands for the position of an event, or for its receipt's id with `:id:name`. */
/** The largest smaller size whose frontier has as many hashes: with another number the head would not even read. */
function fewerOfTheSameForm(size: number): number {
  const ones = (n: number): number => n.toString(2).replaceAll('0', '').length;
  let fewer = size - 1;
  while (fewer > 0 && ones(fewer) !== ones(size)) fewer -= 1;
  return fewer;
}

const run = (sql: string): Rows => (db, told) => db.query(sql.replaceAll(/:\{([^}]*)\}/g, (_, label: string) => String(indexOf(told, label))));

const headReads: Surfaces['pins'] = { unseen: 'The head says what it said, and a start reads no row behind the pin: fsck and verify do.' };
/** Where a cool-off hangs on the position of a receipt, and a hash that the proof of it needs is not the tree's. */
const proofFails: Surfaces['pins'] = { denied: 'rollback_detected', says: 'brought revision 3 into force is not in the log at' };
const sameLog: Surfaces['pins'] = { unseen: 'The log is as it was served.' };
const besideLog: Surfaces['fsck'] = { unseen: 'Signed documents lie beside the log: a start and verify check them by their signatures.' };
const notExported: Surfaces['verify'] = { unseen: 'A bundle is made of envelopes and proofs; it does not hold this column.' };

/** Leaf hashes from a position on, and the head, computed anew: what the database's owner can do without any key. */
async function rehash(db: pg.ClientBase, { cast }: ToldLedger): Promise<void> {
  const { rows } = await db.query<{ index: string; envelope: string }>('SELECT index, envelope FROM receipts WHERE workspace_id = $1 ORDER BY index', [cast.workspace]);
  let frontier = emptyFrontier;
  let last: Uint8Array | undefined;
  for (const { index, envelope } of rows) {
    last = leafHashOf(sha256, leafText(envelope, Number(index), previousOf(last)));
    frontier = appendLeaf(sha256, frontier, last);
    await db.query('UPDATE receipts SET leaf_hash = $3 WHERE workspace_id = $1 AND index = $2', [cast.workspace, index, last]);
  }
  await db.query('UPDATE ledger_heads SET size = $2, last_hash = $3, frontier = $4 WHERE workspace_id = $1', [cast.workspace, frontier.size, last, packFrontier(frontier)]);
}

/** Cuts the tail off, and sets the head back as if it had never been. */
const cut = (from: string): Rows => async (db, told) => {
  const index = indexOf(told, from);
  await db.query('DELETE FROM receipts WHERE index >= $1', [index]);
  await db.query('DELETE FROM checkpoints WHERE size > $1', [index]);
  await rehash(db, told);
};

/** One search column after another: lists and filters read them. */
const columns: readonly Tampering[] = (
  [
    ['session_id', `'ses_0000000000000000000000'`], ['action_id', `'act_0000000000000000000000'`], ['agent_id', `'other'`], ['tool', `'other'`], ['operation', `'other'`],
    ['decision', `'ALLOW'`], ['revision', '9'], ['rules', `'{}'`], ['kind', `'session_closed'`], ['at', `at - interval '1 day'`],
  ] as const
).map(([column, value]) => ({
  name: `the column ${column} of a receipt says something else`, rows: run(`UPDATE receipts SET ${column} = ${value} WHERE index = :{drop denied}`),
  verify: notExported, fsck: { what: 'columns', at: 'drop denied' }, pins: sameLog,
}));

/** What somebody does to the database who owns it, and holds no key: triggers and constraints do not stop them. */
export const tamperedRows: readonly Tampering[] = [
  {
    name: 'a byte of a receipt’s envelope is changed', rows: run(`UPDATE receipts SET envelope = replace(envelope, '"sig":"', '"sig":"A') WHERE index = :{message}`),
    verify: { refused: 'ledger_broken' }, fsck: { what: 'changed', at: 'message' }, pins: headReads,
  },
  {
    name: 'a receipt’s signature is another receipt’s', rows: run(`UPDATE receipts SET envelope = (SELECT left(receipts.envelope, position('"signatures"' in receipts.envelope) - 1) || substr(o.envelope, position('"signatures"' in o.envelope))
      FROM receipts AS o WHERE o.index = :{note decided}) WHERE index = :{message}`),
    verify: { check: 'receipts', at: 'message', says: 'The signature does not verify' }, fsck: { what: 'changed', at: 'message' }, pins: headReads,
  },
  { name: 'a leaf’s hash is changed', rows: run(`UPDATE receipts SET leaf_hash = decode(repeat('00', 32), 'hex') WHERE index = :{message}`), verify: { check: 'chain', at: 'finding in message', says: 'does not name the one before' }, fsck: { what: 'changed', at: 'message' }, pins: proofFails },
  { name: 'a receipt is deleted from the middle', rows: run('DELETE FROM receipts WHERE index = :{message}'), verify: { refused: 'ledger_broken' }, fsck: { what: 'missing', at: 'message' }, pins: proofFails },
  { name: 'the tail is deleted', rows: run('DELETE FROM receipts WHERE index >= :{payment redeemed}'), verify: { refused: 'ledger_broken' }, fsck: { what: 'missing', at: 'payment redeemed' }, pins: proofFails },
  { name: 'everything is deleted', rows: run('DELETE FROM receipts'), verify: { refused: 'ledger_broken' }, fsck: { what: 'missing', at: 0 }, pins: { denied: 'rollback_detected', says: 'Policy revision' } },
  {
    name: 'the tail is cut off, and the head set back', rows: cut('payment redeemed'),
    verify: { unseen: 'A shorter log is as good as a longer one: only who knows the longer one misses its end.' },
    known: { check: 'consistency', says: 'its end was cut off' },
    fsck: { unseen: 'A shorter log is whole in itself; fsck finds it with a pin (see its second run).' }, pins: { denied: 'rollback_detected', says: 'A log of' },
  },
  {
    name: 'two receipts change places', rows: run(['message, 9999', 'finding in message, message', '9999, finding in message'].map((pair) => {
      const [from = '', to = ''] = pair.split(', ').map((one) => (one === '9999' ? one : `:{${one}}`));
      return `UPDATE receipts SET index = ${to} WHERE index = ${from}`;
    }).join(';')),
    verify: { check: 'chain', at: 'finding in message', says: 'does not name the one before' }, fsck: { what: 'changed', at: 'message' }, pins: proofFails,
  },
  {
    name: 'a receipt is played again at the end, all hashes computed anew', rows: async (db, told) => {
      await db.query(`INSERT INTO receipts SELECT (r).* FROM (SELECT jsonb_populate_record(receipts, jsonb_build_object('index', $2::int, 'id', id || 'x')) AS r FROM receipts WHERE index = $1) AS copy`, [indexOf(told, 'note redeemed'), told.events.length]);
      await rehash(db, told);
    },
    verify: { unseen: 'No signed checkpoint covers the new row, so it is in no bundle: without the plane’s key nobody makes one.' }, fsck: { what: 'replayed', at: 'end' }, pins: { unseen: 'It comes after what was served: a pin knows nothing of it.' },
  },
  {
    name: 'a receipt takes another one’s place, all hashes computed anew', rows: async (db, told) => {
      await db.query('UPDATE receipts SET envelope = o.envelope FROM receipts AS o WHERE o.index = $1 AND receipts.index = $2', [indexOf(told, 'note redeemed'), indexOf(told, 'update redeemed')]);
      await rehash(db, told);
    },
    verify: { check: 'receipts', at: 'update redeemed', says: 'at two positions' }, fsck: { what: 'replayed', at: 'update redeemed' }, pins: { denied: 'rollback_detected', says: 'Another history' },
  },
  { name: 'the head is gone', rows: run('DELETE FROM ledger_heads'), verify: { unseen: 'A bundle is made of receipts and checkpoints, which are all there.' }, fsck: { what: 'head', at: 'end' }, pins: { fails: 'workspace' } },
  { name: 'the head states fewer receipts', rows: async (db, { cast: { workspace } }) => {
    const { rows: [head] } = await db.query<{ size: string }>('SELECT size FROM ledger_heads WHERE workspace_id = $1', [workspace]);
    await db.query('UPDATE ledger_heads SET size = $2 WHERE workspace_id = $1', [workspace, fewerOfTheSameForm(Number(head?.size))]);
  }, verify: { unseen: 'A bundle is made of receipts and checkpoints, which are all there.' }, fsck: { what: 'head' }, pins: { denied: 'rollback_detected', says: 'A log of ' } },
  { name: 'the head has another frontier', rows: run(`UPDATE ledger_heads SET frontier = decode(repeat('00', 32), 'hex') || substr(frontier, 33)`), verify: { unseen: 'A bundle is made of receipts and checkpoints, which are all there.' }, fsck: { what: 'head', at: 'end' }, pins: { denied: 'rollback_detected', says: 'Another history' } },
  { name: 'the head names another last leaf', rows: run(`UPDATE ledger_heads SET last_hash = decode(repeat('00', 32), 'hex')`), verify: { unseen: 'A bundle is made of receipts and checkpoints, which are all there.' }, fsck: { what: 'head', at: 'end' }, pins: headReads },
  { name: 'the log’s time is set back', rows: run(`UPDATE ledger_heads SET logged_at = '2000-01-01'`), verify: { unseen: 'A bundle holds the receipts’ own times.' }, fsck: { what: 'head', at: 'end' }, pins: { unseen: 'A pin holds no time.' } },
  { name: 'a tile covers leaves that are not there', rows: async (db, { cast }) => db.query(`INSERT INTO ledger_tiles (workspace_id, level, index, root) VALUES ($1, 1, 0, decode(repeat('00', 32), 'hex'))`, [cast.workspace]), verify: { unseen: 'No proof of this log reads the tile.' }, fsck: { what: 'tile', at: 'end' }, pins: sameLog },
  {
    name: 'a checkpoint is altered', rows: (db, { cast }) => db.query('UPDATE checkpoints SET note = replace(note, $1, $2) WHERE size = (SELECT max(size) FROM checkpoints)', [originOf(cast.workspace), `${originOf(cast.workspace)}x`]),
    verify: { check: 'checkpoints', says: 'is of another log' }, fsck: { what: 'checkpoint', at: 'end' }, pins: sameLog,
  },
  {
    name: 'the newest checkpoints are deleted', rows: run('DELETE FROM checkpoints WHERE size > 100'), verify: { unseen: 'What the older checkpoint covers is exported and whole; the rest waits for the next one.' },
    known: { check: 'consistency', says: 'its end was cut off' }, fsck: { unseen: 'A log may be longer than its newest checkpoint, as it is after every crash.' }, pins: sameLog,
  },
  {
    name: 'a content is altered', rows: (db, told) => db.query('UPDATE contents SET body = $2 WHERE digest = $1', [eventOf(told, 'note reported').predicate['output_digest'], '"Nothing."']),
    verify: { check: 'contents', says: 'is not what its digest says' }, fsck: { what: 'content' }, pins: sameLog,
  },
  {
    name: 'a content has another salt', rows: (db, told) => db.query(`UPDATE contents SET salt = 'AAAAAAAAAAAAAAAAAAAAAA==' WHERE digest = $1`, [eventOf(told, 'note reported').predicate['output_digest']]),
    verify: { check: 'contents', says: 'is not what its digest says' }, fsck: { what: 'content' }, pins: sameLog,
  },
  {
    name: 'a content is deleted, and nobody says so', rows: (db, told) => db.query('DELETE FROM contents WHERE digest = $1', [eventOf(told, 'note reported').predicate['output_digest']]),
    verify: { check: 'contents', says: 'no receipt here says by whom', unsure: true }, fsck: { what: 'content', at: 'note reported' }, pins: sameLog,
  },
  {
    name: 'the policy’s text is altered', rows: (db) => db.query(`UPDATE policy_revisions SET text = replace(text, 'to: 10', 'to: 99') WHERE revision = 3`), verify: { unseen: 'A bundle holds the text that was signed, which is as it was.' },
    fsck: besideLog, pins: { denied: 'rollback_detected', says: 'Policy revision 2, pinned is 3' },
  },
  {
    name: 'the policy’s signed text is altered', rows: (db) => db.query(`UPDATE policy_revisions SET signature = (SELECT signature FROM policy_revisions WHERE revision = 2) WHERE revision = 3`), verify: { check: 'policies', says: 'never came into force' },
    fsck: besideLog, pins: { denied: 'rollback_detected', says: 'Policy revision 2, pinned is 3' },
  },
  { name: 'the newest policy is deleted', rows: run('DELETE FROM policy_revisions WHERE revision = 3'), verify: { check: 'policies', at: 'third policy', says: 'is not in the bundle' }, fsck: besideLog, pins: { denied: 'rollback_detected', says: 'Policy revision 2, pinned is 3' } },
  { name: 'the newest roster is deleted', rows: run('DELETE FROM rosters WHERE version = 2'), verify: { check: 'rosters', at: 'second roster', says: 'is not in the bundle' }, fsck: besideLog, pins: { denied: 'rollback_detected', says: 'Roster 1, pinned is 2' } },
  { name: 'an old roster is put in the new one’s place', rows: run('UPDATE rosters SET envelope = (SELECT envelope FROM rosters WHERE version = 1) WHERE version = 2'), verify: { check: 'rosters', says: '' }, fsck: besideLog, pins: { denied: 'policy_unreadable', says: 'another version' } },
  { name: 'the newest trust root is deleted', rows: run('DELETE FROM trust_roots WHERE version = 2'), verify: { check: 'trust_root', at: 'second root', says: 'is not in the bundle' }, fsck: besideLog, pins: { denied: 'rollback_detected', says: 'Trust root 1, pinned is 2' } },
  ...columns,
];
