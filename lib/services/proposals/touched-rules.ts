import type { TouchedRules } from '@/lib/contracts/console/proposals';
import { withoutComments } from '@/lib/policy/without-comments';

const mostNamed = 20;
/** Longer texts are not read for their comments, characters: it takes a second for each megabyte and more. */
const mostRead = 64 * 1024;

/** Which rules two texts of a policy do not share, found by how they are written: names for a card, nothing that anybody relies on. */
export function touchedRules(before: string, after: string): TouchedRules {
  const [old, now] = [rulesOf(before), rulesOf(after)];
  const differing = [...now].filter(([id, text]) => old.has(id) && old.get(id) !== text).map(([id]) => id);
  // Where all that differs comes after a "#" it may be comments alone: only then are the texts read as YAML does.
  const unsure = Math.max(before.length, after.length) > mostRead ? [] : differing.filter((id) => beforeHash(old.get(id)) === beforeHash(now.get(id)));
  const [oldBare, nowBare] = unsure.length === 0 ? [old, now] : [rulesOf(withoutComments(before)), rulesOf(withoutComments(after))];
  return {
    added: [...now.keys()].filter((id) => !old.has(id)).slice(0, mostNamed),
    changed: differing.filter((id) => !unsure.includes(id) || oldBare.get(id) !== nowBare.get(id)).slice(0, mostNamed),
    removed: [...old.keys()].filter((id) => !now.has(id)).slice(0, mostNamed),
  };
}

const beforeHash = (text = ''): string => text.split('\n').map((line) => line.split('#', 1)[0]?.trimEnd()).filter(Boolean).join('\n');

/** Each rule's lines by its id, in block style; a policy in JSON, or in flow style, has none. */
function rulesOf(text: string): ReadonlyMap<string, string> {
  const rules = new Map<string, string>();
  let current: string | undefined;
  for (const line of text.split('\n')) {
    const id = /^\s*-\s+id:\s*["']?([A-Za-z0-9][A-Za-z0-9._-]{0,63})["']?\s*$/.exec(line)?.[1];
    if (id !== undefined) current = id;
    else if (/^\S/.test(line) && !line.startsWith('#') && !line.startsWith('-')) current = undefined;
    if (current !== undefined && line.trim() !== '') rules.set(current, `${rules.get(current) ?? ''}${line.trimEnd()}\n`);
  }
  return rules;
}
