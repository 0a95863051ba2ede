import { resolveLinks } from '@/lib/mediate/resolve-links';

import { isUsable } from './read-attribute';
import { readParameter } from './read-parameter';
import { several, unknown, type Reading } from './reading';
import type { Situation } from './situation';

/**
 * A parameter; a path also as where it really leads, once a listed source has said so: `symlink` of `files:<folder>` is what the folder
 * points to, `same_file` of `files:<path>` the other names of a file. Then a rule that allows needs all of them, and any other rule one.
 * Links that go round lead nobody knows where.
 */
export function readWithLinks(situation: Situation, path: readonly string[]): Reading {
  const { action, snapshot } = situation;
  const reading = readParameter(action, path);
  const [name = ''] = path;
  const isPath = path.length === 1 && Object.hasOwn(action.entry.parameters, name) && action.entry.parameters[name]?.role === 'path';
  if (!isPath || reading.state === 'absent' || snapshot.attributes.length === 0) return reading;
  const said = snapshot.attributes.filter((fact) => (fact.name === 'symlink' || fact.name === 'same_file') && isUsable(situation, fact));
  if (said.length === 0) return reading;
  const links = new Map<string, string>();
  let lost = reading.state !== 'known';
  for (const { name: what, subject, value } of said) {
    if (what !== 'symlink' || typeof value !== 'string') continue;
    const link = subject.slice('files:'.length);
    // Two sources that say different things: either may be right.
    if ((links.get(link) ?? value) !== value) lost = true;
    links.set(link, value);
  }
  const known = reading.state === 'known' ? reading.values : reading.state === 'unknown' ? reading.partly : [];
  const written = known.filter((value) => typeof value === 'string');
  const all = new Set(written);
  for (const one of written) {
    const end = resolveLinks(one, links);
    if (end === undefined) lost = true;
    else all.add(end);
  }
  for (const { name: what, subject, value } of said) {
    if (what !== 'same_file' || !all.has(subject.slice('files:'.length))) continue;
    for (const other of Array.isArray(value) ? (value as readonly unknown[]) : [value]) if (typeof other === 'string') all.add(other);
  }
  if (all.size === written.length && !lost) return reading;
  return lost ? unknown(`parameters.${name}`, { opaque: true }, [...all]) : several([...all]);
}
