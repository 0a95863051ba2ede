import type { CatalogueEntry, ParameterRole, ParameterSpec } from '@/lib/mediate/catalogue';
import type { Json } from '@/lib/shared/json';

import type { Option } from './context-options';

/** Ways to be about one thing or several, through arguments of which nothing is chosen yet. */
export function subjectOptions(about: 'target' | 'recipients', entry: CatalogueEntry, taken: ReadonlySet<string>): readonly Option[] {
  const options: Option[] = [{ words: 'as it stands', put: () => undefined }];
  for (const [name, spec] of Object.entries(entry.parameters)) {
    if (spec.role === undefined || taken.has(`parameter ${name}`) || (about === 'recipients' && spec.role !== 'recipients')) continue;
    for (const value of subjectValues(spec)) options.push({ words: `with ${name}`, put: (draft) => void (draft.parameters[name] = value) });
  }
  return options;
}

export function subjectValues({ role, type }: ParameterSpec): readonly Json[] {
  if (role === undefined) return [];
  const listed = lists[role] ?? [];
  if (role === 'target') return [type === 'number' || type === 'integer' ? 1 : '~'];
  return type === 'array' ? listed : listed.flatMap((list) => (role === 'query' || list.length === 1 || role === 'recipients' ? [list.join(', ')] : []));
}

const lists: Readonly<Partial<Record<ParameterRole, readonly (readonly string[])[]>>> = {
  path: [['/zz/a'], ['/zz/a', '/zz/b']],
  query: [['SELECT id FROM zz_table'], ['SELECT id FROM zz_table', 'zz_other']],
  url: [['https://elsewhere.test/zz']],
  recipients: [['somebody@elsewhere.test'], ['somebody@elsewhere.test', 'another@elsewhere.test'], ['somebody@elsewhere.test', 'a@b@c.test']],
};
