import type { Issue } from '@/lib/shared/result';

/** Characters that turn the direction of what follows: people see another order than is read (CVE-2021-42574). */
const turning = /[\u061C\u202A-\u202E\u2066-\u2069]/g;
/** Characters that nobody sees at all. Prose may have them, inside emoji for example; a rule may not. */
const invisible = /[\u00AD\u034F\u180E\u200B-\u200F\u2060-\u2064\uFEFF]/g;
const mostTold = 20;

/** What of a text people cannot see as it is read. `rules` is the part of it that is read as a policy, in the same places. */
export function hiddenCharacters(text: string, rules: string): readonly Issue[] {
  const begins = text.startsWith('\uFEFF') ? 1 : 0;
  return [
    ...[...text.matchAll(turning)].slice(0, mostTold).map(({ index, 0: found }) => issueAt(text, index, found, 'changes the direction of what follows, so people see it in another order')),
    ...[...rules.matchAll(invisible)].filter(({ index }) => index >= begins).slice(0, mostTold).map(({ index, 0: found }) => issueAt(rules, index, found, 'cannot be seen')),
  ];
}

function issueAt(text: string, index: number, found: string, what: string): Issue {
  const before = text.slice(0, index);
  const code = (found.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
  return { path: '', message: `The character U+${code} ${what}.`, fix: 'Remove it.', line: before.split('\n').length, column: index - before.lastIndexOf('\n') };
}
