import type { TouchedRules } from '@/lib/contracts/console/proposals';

const mostNamed = 20;

/** Which rules two texts of a policy do not share, found by how they are written: names for a card, nothing that anybody relies on. */
export function touchedRules(before: string, after: string): TouchedRules {
  const [old, now] = [rulesOf(before), rulesOf(after)];
  return {
    added: [...now.keys()].filter((id) => !old.has(id)).slice(0, mostNamed),
    changed: [...now].filter(([id, text]) => old.has(id) && old.get(id) !== text).map(([id]) => id).slice(0, mostNamed),
    removed: [...old.keys()].filter((id) => !now.has(id)).slice(0, mostNamed),
  };
}

/** Each rule's lines by its id, in block style; a policy in JSON, or in flow style, has none. */
function rulesOf(text: string): ReadonlyMap<string, string> {
  const rules = new Map<string, string>();
  let current: string | undefined;
  for (const line of text.split('\n')) {
    const id = /^\s*-\s+id:\s*["']?([A-Za-z0-9][A-Za-z0-9._-]{0,63})["']?\s*$/.exec(line)?.[1];
    if (id !== undefined) current = id;
    else if (/^\S/.test(line) && !line.startsWith('#') && !line.startsWith('-')) current = undefined;
    if (current !== undefined && line.trim() !== '') rules.set(current, `${rules.get(current) ?? ''}${line}\n`);
  }
  return rules;
}
