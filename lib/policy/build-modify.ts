import type { Modification, RedactionKind } from '@/lib/engine/rule';

import type { Diagnostics, Path } from './diagnostics';
import type { RuleDocument } from './document-schema';

type ModifyDocument = NonNullable<RuleDocument['modify']>[number];

/** The changes of a MODIFY rule. Paths within one rule must not overlap: which comes first would decide what happens. */
export function buildModify(modify: readonly ModifyDocument[], path: Path, hasInternalDomains: boolean, diagnostics: Diagnostics): readonly Modification[] {
  const seen: string[] = [];
  return modify.flatMap((raw, i) => {
    const at = [...path, i];
    const change = buildOne(raw);
    const [root, ...rest] = change.path;
    if (root !== 'parameters' || rest.length === 0) {
      diagnostics.add(at, 'A change names a parameter.', 'Write it like parameters.limit.');
      return [];
    }
    const place = rest.join('.');
    if (seen.some((other) => other === place || other.startsWith(`${place}.`) || place.startsWith(`${other}.`))) diagnostics.add(at, `${place} is changed twice.`, 'Join the two changes.');
    seen.push(place);
    if (change.form === 'restrict' && change.to.includes('internal') && !hasInternalDomains) {
      diagnostics.add(at, 'Which domains are internal is not said.', 'Add directory: { internal_domains: […] }.');
    }
    return [{ ...change, path: rest }];
  });
}

function buildOne(raw: ModifyDocument): Modification {
  if ('set' in raw) return { form: 'set', path: split(raw.set), to: raw.to };
  if ('cap' in raw) return { form: 'cap', path: split(raw.cap), at: raw.at };
  if ('drop' in raw) return { form: 'drop', path: split(raw.drop) };
  if ('restrict' in raw) return { form: 'restrict', path: split(raw.restrict), to: typeof raw.to === 'string' ? [raw.to] : raw.to };
  if ('redact' in raw) return { form: 'redact', path: split(raw.redact), what: [...new Set<RedactionKind>(typeof raw.what === 'string' ? [raw.what] : raw.what)].sort() };
  return { form: 'add_filter', path: split(raw.add_filter), and: raw.and };
}

const split = (text: string): readonly string[] => text.split('.');
