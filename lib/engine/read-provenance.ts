import { provenances, type Provenance } from '@/lib/context/entry';

import { absent, several, type Reading } from './reading';
import type { Situation } from './situation';

/** A place's rank: 0 is most trusted. */
export const provenanceRank = (source: Provenance): number => provenances.indexOf(source);

/**
 * Where an argument's leaves come from; `*` means every argument. An argument that the snapshot says nothing about comes from
 * nowhere: evidence that is missing is not evidence of trust.
 */
export function readProvenance({ action, snapshot }: Pick<Situation, 'action' | 'snapshot'>, path: string): Reading {
  const names = Object.keys(action.parameters);
  if (path !== '*') {
    const [name = ''] = path.split('.');
    if (!names.includes(name)) return absent;
    const sources = snapshot.provenance.filter((leaf) => isAtOrUnder(leaf.path, path)).map((leaf) => leaf.source);
    return several(sources.length > 0 ? sources : ['nowhere']);
  }
  const sources: Provenance[] = snapshot.provenance.map((leaf) => leaf.source);
  if (names.some((name) => !snapshot.provenance.some((leaf) => isAtOrUnder(leaf.path, name)))) sources.push('nowhere');
  return several(sources);
}

/** `to` holds `to`, `to[0]` and `to.name`, not `topic`. */
export function isAtOrUnder(leaf: string, path: string): boolean {
  if (!leaf.startsWith(path)) return false;
  const next = leaf[path.length];
  return next === undefined || next === '.' || next === '[';
}
