import type { Modification, RedactionKind } from '@/lib/engine/rule';
import type { CatalogueEntry, ParameterSpec, ParameterType } from '@/lib/mediate/catalogue';
import type { Json } from '@/lib/shared/json';

import { checkParameter } from './check-names';
import type { Diagnostics, Path } from './diagnostics';
import type { RuleDocument } from './document-schema';

type ModifyDocument = NonNullable<RuleDocument['modify']>[number];

export type ModifyOptions = {
  readonly path: Path;
  /** What the rule matches; a change that fits none of it could only deny. */
  readonly entries: readonly CatalogueEntry[];
  readonly hasInternalDomains: boolean;
  readonly diagnostics: Diagnostics;
};

/** The changes of a MODIFY rule. Paths within one rule must not overlap: which comes first would decide what happens. */
export function buildModify(modify: readonly ModifyDocument[], options: ModifyOptions): readonly Modification[] {
  const { diagnostics, entries, hasInternalDomains } = options;
  const seen: string[] = [];
  return modify.flatMap((raw, i) => {
    const at = [...options.path, i];
    const change = buildOne(raw);
    const [root, ...rest] = change.path;
    if (root !== 'parameters' || rest.length === 0 || rest.includes('')) {
      diagnostics.add(at, 'A change names a parameter.', 'Write it like parameters.limit.');
      return [];
    }
    const place = rest.join('.');
    if (seen.some((other) => other === place || other.startsWith(`${place}.`) || place.startsWith(`${other}.`))) diagnostics.add(at, `${place} is changed twice.`, 'Join the two changes.');
    seen.push(place);
    if (change.form === 'restrict' && change.to.includes('internal') && !hasInternalDomains) {
      diagnostics.add(at, 'Which domains are internal is not said.', 'Add directory: { internal_domains: […] }.');
    }
    if (checkParameter(rest[0] ?? '', entries, at, diagnostics)) checkFits(change, rest, entries, at, diagnostics);
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

/** The types whose values a change can be made to; null: any. */
const fitting: Readonly<Record<Modification['form'], readonly ParameterType[] | null>> = {
  set: null, drop: null, cap: ['number', 'integer', 'any'], redact: ['string', 'array', 'object', 'any'],
  restrict: ['string', 'array', 'any'], add_filter: ['string', 'object', 'any'],
};

/** Notes a change that can be made to none of the operations: it would deny every action that it meets. */
function checkFits(change: Modification, [name = '', ...inner]: readonly string[], entries: readonly CatalogueEntry[], at: Path, diagnostics: Diagnostics): void {
  const specs = entries.flatMap(({ parameters }): readonly ParameterSpec[] => (Object.hasOwn(parameters, name) && parameters[name] ? [parameters[name]] : []));
  if (specs.length === 0 || entries.some((entry) => entry.open === true)) return;
  if (inner.length > 0) {
    if (specs.every(({ type }) => type !== 'object' && type !== 'array' && type !== 'any')) diagnostics.add(at, `${name} has nothing inside it.`, `Name the parameter itself: parameters.${name}.`);
    return;
  }
  const types = fitting[change.form];
  if (types && specs.every(({ type }) => !types.includes(type))) diagnostics.add(at, `${change.form} cannot be done to ${name}, which is ${specs[0]?.type ?? 'something else'}.`, `It is for ${types.filter((type) => type !== 'any').join(' or ')}.`);
  if (change.form === 'drop' && specs.every(({ optional }) => optional !== true)) diagnostics.add(at, `${name} may not be left out, so dropping it would deny every action.`, 'Set it to something, or drop an optional parameter.');
  if (change.form === 'set' && specs.every((spec) => !isOfType(change.to, spec))) diagnostics.add(at, `${name} is ${specs[0]?.type ?? 'something else'}, and is set to something else.`, 'Write a value of its type.');
}

function isOfType(value: Json, { type, nullable, scalar_or_array }: ParameterSpec): boolean {
  if (value === null) return nullable === true || type === 'any';
  switch (type) {
    case 'any':
      return true;
    case 'integer':
      return Number.isSafeInteger(value);
    case 'array':
      return Array.isArray(value) || scalar_or_array === true;
    case 'object':
      return typeof value === 'object' && !Array.isArray(value);
    case 'string':
    case 'number':
    case 'boolean':
      return typeof value === type;
  }
}
