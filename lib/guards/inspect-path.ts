import { decodedForms } from './decoded-forms';
import type { Inspection } from './inspection';

/** Paths that climb above where they start, in whatever encoding; `..` that stays inside is only a way of writing. */
export function inspectPath(path: string): Inspection {
  const forms = decodedForms(path);
  const climbs = forms.some((form) => climbsOut(form.replaceAll('\\', '/')));
  if (climbs) return { guard: 'path-traversal', verdict: 'block', detail: 'The path climbs above where it starts.' };
  if (forms.some((form) => form.includes('\0'))) return { guard: 'path-traversal', verdict: 'block', detail: 'The path holds a NUL.' };
  if (forms.length > 1 && forms.slice(1).some((form) => /(?:^|[/\\])\.\.(?:[/\\]|$)/.test(form))) {
    return { guard: 'path-traversal', verdict: 'block', detail: 'The path hides `..` in an encoding.' };
  }
  return undefined;
}

function climbsOut(path: string): boolean {
  let depth = 0;
  for (const segment of path.split('/')) {
    if (segment === '..') depth--;
    else if (segment !== '' && segment !== '.') depth++;
    if (depth < 0) return true;
  }
  return false;
}
