import { readFile, stat } from 'node:fs/promises';

import type { DecisionPoint, PointQuestion } from '@/lib/ports/decision-point';

/** Bytes of a list at most: it is read whole. */
const largest = 4 * 1024 * 1024;

/**
 * A decision point in this process: a list that somebody other than the policy's owners keeps (a security team, a feed) of addresses,
 * accounts and domains that nothing may go to, one a line, `#` for remarks. A domain means everything under it. The list is read
 * again when it has changed; one that cannot be read is a fault, which denies whatever goes anywhere. Throws when it cannot be
 * read to begin with: a plane with half a configuration must not start.
 */
export async function blocklistPoint(file: string): Promise<DecisionPoint> {
  let known = await readList(file);
  return {
    name: 'blocklist',
    deadlineMs: 1000,
    ask: async (question) => {
      const goesTo = placesOf(question);
      const opaque = question.action.facts.opaque[0];
      if (goesTo.length === 0 && opaque === undefined) return { answer: 'permit', cause: 'it goes nowhere.' };
      const { mtimeMs, size } = await stat(file);
      if (mtimeMs !== known.mtimeMs || size !== known.size) known = await readList(file);
      const listed = goesTo.find((place) => known.entries.has(place));
      if (listed !== undefined) return { answer: 'deny', cause: `${listed} is on it.` };
      if (opaque !== undefined) return { answer: 'indeterminate', cause: `${opaque} cannot be read, so nobody can tell where it goes.` };
      return { answer: 'permit', cause: 'nothing that it goes to is on it.' };
    },
  };
}

type List = { readonly entries: ReadonlySet<string>; readonly mtimeMs: number; readonly size: number };

async function readList(file: string): Promise<List> {
  const { mtimeMs, size } = await stat(file);
  if (size > largest) throw new Error(`BLOCKLIST: ${file} is over ${String(largest)} bytes.`);
  const lines = (await readFile(file, 'utf8')).split('\n').map((line) => line.replace(/#.*/, '').trim().toLowerCase().replace(/\.$/, ''));
  return { entries: new Set(lines.filter((line) => line !== '')), mtimeMs, size };
}

/** Everything that the action reaches, each with the domains that it lies in. */
function placesOf({ action }: PointQuestion): readonly string[] {
  const { recipients, urls, target } = action.facts;
  const whole = [...recipients, ...urls.map(({ host }) => host), ...(target === undefined ? [] : [target.slice(action.tool.length + 1)])].map((place) => place.toLowerCase());
  return [...new Set(whole.flatMap((place) => [place, ...domainsOf(place)]))];
}

/** `eve@mail.corp.example` → `mail.corp.example`, `corp.example`, `example`. */
function domainsOf(place: string): readonly string[] {
  const host = place.slice(place.lastIndexOf('@') + 1).replace(/\.$/, '');
  const parts = host.split('.');
  return parts.length < 2 ? [] : parts.map((_, i) => parts.slice(i).join('.'));
}
