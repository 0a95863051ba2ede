import { canonicalJson } from '@/lib/shared/canonical-json';
import { asJson } from '@/lib/shared/as-json';

import type { Reply } from './call';
import type { Want } from './case-schema';

/** What the chain of a session had when it was last looked at: hashes, oldest first. */
export type SeenChain = readonly string[];

/** In words, everything in which a reply is not what was wanted. Empty: it is. */
export function compareReply(want: Want, reply: Reply, seen: SeenChain): readonly string[] {
  const { refused, stopped, transformed, identity, chain, missing, suppliers, approvers, code, ...plain } = want;
  const wrong: string[] = [];
  const differ = (what: string, wanted: unknown, found: unknown): void => {
    if (textOf(wanted) !== textOf(found)) wrong.push(`${what}: wanted ${textOf(wanted)}, got ${textOf(found)}`);
  };
  if (stopped === true) {
    if (reply.refused === undefined && reply.decision !== 'DENY') wrong.push(`wanted it stopped, got ${textOf(reply)}`);
  } else if (refused === undefined) {
    if (reply.refused !== undefined) wrong.push(`refused: ${reply.refused}`);
  } else if (refused === true) {
    if (reply.refused === undefined) wrong.push(`wanted a refusal, got ${textOf(reply)}`);
  } else differ('refused', refused, reply.refused);
  for (const [name, wanted] of Object.entries(plain)) if (wanted !== undefined) differ(name, wanted, Object.entries(reply).find(([key]) => key === name)?.[1]);
  // A system with codes of its own leaves them out.
  if (code !== undefined && reply.code !== undefined) differ('code', code, reply.code);
  for (const [name, wanted, found] of [['missing', missing, reply.missing], ['suppliers', suppliers, reply.suppliers], ['approvers', approvers, reply.approvers]] as const) {
    if (wanted !== undefined) differ(name, [...wanted].sort(), found && [...found].sort());
  }
  if (transformed !== undefined) differ('transformed', transformed, reply.transformed ?? null);
  if (identity !== undefined) differ('identity', identity, reply.identity);
  if (chain !== undefined) wrong.push(...chainFaults(chain, reply.chain, seen));
  return wrong;
}

/** Every link names the one before it, what was there stays there, and there is more of it or there is not. */
function chainFaults(wanted: NonNullable<Want['chain']>, chain: Reply['chain'], seen: SeenChain): readonly string[] {
  if (!chain) return ['chain: none is shown'];
  const faults: string[] = [];
  const hashes = chain.map(({ hash }) => hash);
  if (chain.some(({ previous }, at) => previous !== (hashes[at - 1] ?? null))) faults.push('chain: a link does not name the one before it');
  if (new Set(hashes).size !== hashes.length) faults.push('chain: two links have the same hash');
  if (seen.some((hash, at) => hashes[at] !== hash)) faults.push('chain: what was there before has changed');
  if (wanted === 'longer' ? hashes.length <= seen.length : hashes.length !== seen.length) {
    faults.push(`chain: wanted ${wanted}, had ${String(seen.length)} links, has ${String(hashes.length)}`);
  }
  return faults;
}

function textOf(value: unknown): string {
  if (value === undefined) return 'nothing';
  return typeof value === 'object' && value !== null ? canonicalJson(asJson(withoutUndefined(value))) : JSON.stringify(value);
}

const withoutUndefined = (value: object): object =>
  Array.isArray(value) ? value : Object.fromEntries(Object.entries(value).filter(([, part]) => part !== undefined));
