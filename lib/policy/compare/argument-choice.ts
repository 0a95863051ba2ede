import type { Field, Test } from '@/lib/engine/predicate';
import type { ParameterRole } from '@/lib/mediate/catalogue';
import type { Json } from '@/lib/shared/json';

import { argumentShape, type ArgumentShape, type Nested } from './argument-shape';
import { askedOf } from './asked-of';
import { asksOf, type Asked } from './asks';
import { roleCandidates, type Candidate } from './candidates';
import type { Option } from './context-options';
import type { Choice, Held, Place } from './place';
import { notePattern, patternDoubts, type Sign } from './signature';
import { fieldsOf } from './tracked-rule';

/** More selections of a list's elements than this are not tried. */
const mostSelections = 400;

/** The ways an argument can be: left out, one value or several, or such as cannot be read. */
export function argumentChoice(name: string, leaves: readonly Held[], place: Place, sign: Sign): Choice {
  const { entry } = place;
  const spec = Object.hasOwn(entry.parameters, name) ? entry.parameters[name] : undefined;
  const left: Option = { words: 'left out', put: (draft) => void Reflect.deleteProperty(draft.parameters, name) };
  const shape = argumentShape(spec ?? { type: 'any', optional: true }, argumentAsked(name, leaves, place), nestedOf(name, leaves, place), spec?.role === 'command' ? namedInCommands(leaves, place) : []);
  const put = (value: Json, words: string): Option => ({ words, put: (draft) => void (draft.parameters[name] = value) });
  const found = new Map<string, Option>();
  const patterns = new Map<string, Set<string>>();
  const keep = (option: Option): boolean => {
    const { rest, patterns: met } = sign(place.make([...place.chosen.values(), option]));
    notePattern(patterns, rest, met);
    const key = `${rest} ${met}`;
    if (found.has(key)) return false;
    found.set(key, option);
    return true;
  };
  if (spec?.optional === true || !spec) keep(left);
  const doubts = growSelections(shape, (values, words) => shape.compose(values).some((value) => keep(put(value, words))), name);
  for (const { value, words } of shape.extras) keep(put(value, words));
  return { options: [...found.values()], doubts: [...doubts, ...patternDoubts(leaves, patterns), ...linkDoubts(name, place)] };
}

/** Selections of elements, each grown from one that was something new, until nothing new comes of it. */
function growSelections({ elements, many }: ArgumentShape, keep: (values: readonly Json[], words: string) => boolean, name: string): readonly string[] {
  let grown: (readonly Candidate[])[] = elements.map((one) => [one]).filter((some) => keep(some.map(({ value }) => value), wordsFor(some)));
  if (!many) return [];
  const single = grown.flat();
  let left = mostSelections;
  while (grown.length > 0) {
    const next: (readonly Candidate[])[] = [];
    for (const some of grown) {
      for (const more of single) {
        if (some.includes(more)) continue;
        if (left-- <= 0) return [`Not every selection of the ${String(single.length)} kinds of values in ${name} was tried.`];
        const larger = [...some, more];
        if (keep(larger.map(({ value }) => value), wordsFor(larger))) next.push(larger);
      }
    }
    grown = next;
  }
  return [];
}

const wordsFor = (some: readonly Candidate[]): string => some.map(({ words }) => words).join(' and ');

function argumentAsked(name: string, leaves: readonly Held[], place: Place): Asked {
  const { entry } = place;
  const role = roleOf(name, place);
  const fields: readonly Field[] = [
    { of: 'parameter', path: [name] },
    // Rules on another argument of the role that see this one too.
    ...(role === undefined ? [] : fieldsWith(role, leaves, place)),
    ...(role === 'recipients' ? [{ of: 'recipient' } as const] : []),
    ...(role === undefined || role === 'amount' ? [] : [{ of: 'operation', name: 'target' } as const]),
  ];
  const targets = Object.values(entry.parameters).filter((spec) => spec.role === 'target').length;
  // A rule names a target with its tool before it, and several target arguments joined by dots.
  const own = (value: Json): readonly Json[] => {
    if (typeof value !== 'string' || !value.startsWith(`${entry.tool}:`)) return [value];
    const bare = value.slice(entry.tool.length + 1);
    return targets > 1 ? [value, bare, ...bare.split('.')] : [value, bare];
  };
  const changes = place.active.flatMap(({ rule }) => rule.modify.filter(({ path }) => path[0] === name));
  return askedOf(fields, leaves, place, changes, own);
}

const roleOf = (name: string, { entry: { parameters } }: Place): ParameterRole | undefined => (Object.hasOwn(parameters, name) ? parameters[name]?.role : undefined);

const fieldsWith = (role: ParameterRole, leaves: readonly Held[], place: Place): readonly Field[] =>
  leaves.flatMap(fieldsOf).filter((field) => field.of === 'parameter' && field.path.length === 1 && roleOf(field.path[0] ?? '', place) === role);

/** Programs that name what rules on paths and URLs ask for: those see it where their own argument cannot be read. */
const namedInCommands = (leaves: readonly Held[], place: Place): readonly Candidate[] =>
  (['path', 'url'] as const).flatMap((role) => {
    const fields = fieldsWith(role, leaves, place);
    const named = fields.length === 0 ? [] : roleCandidates(role, asksOf(askedOf(fields, leaves, place)));
    return named.flatMap(({ value, words }) => (typeof value === 'string' ? [{ value: `${role === 'path' ? 'ls' : 'curl'} '${value}'`, words: `a program that names ${words}` }] : []));
  });

/** Parts that comparisons read, and those that changes write: one that holds already what would be written is not changed. */
function nestedOf(name: string, leaves: readonly Held[], { active }: Place): readonly Nested[] {
  const found = new Map<string, { readonly path: readonly string[]; readonly tests: Test[] }>();
  for (const { leaf } of leaves) {
    const fields = leaf.is === 'test' ? [leaf.field] : leaf.is === 'compare' ? [leaf.left, leaf.right] : [];
    for (const field of fields) {
      if (field.of !== 'parameter' || field.path[0] !== name || field.path.length < 2) continue;
      const path = field.path.slice(1);
      const known = found.get(path.join('.')) ?? { path, tests: [] };
      if (leaf.is === 'test') known.tests.push(leaf.test);
      found.set(path.join('.'), known);
    }
  }
  for (const { path } of active.flatMap(({ rule }) => rule.modify)) {
    const part = path.slice(1);
    if (path[0] === name && part.length > 0 && !found.has(part.join('.'))) found.set(part.join('.'), { path: part, tests: [] });
  }
  return [...found.values()];
}

/** Where a listed source may say that a path leads elsewhere, what it leads to is not searched. */
function linkDoubts(name: string, { entry, make }: Place): readonly string[] {
  if (!Object.hasOwn(entry.parameters, name) || entry.parameters[name]?.role !== 'path') return [];
  const { base, next } = make([]);
  const says = [base, next].some((situation) => situation !== null && (situation.policy.information.has('symlink') || situation.policy.information.has('same_file')));
  return says ? [`Where links lead that ${name} may go through was not searched.`] : [];
}
