import type { Field, Test } from '@/lib/engine/predicate';
import { readField } from '@/lib/engine/read-field';
import type { Modification } from '@/lib/engine/rule';
import type { Json } from '@/lib/shared/json';

import { asksOf, type Asked } from './asks';
import type { Held, Place } from './place';

/** Comparisons of one field, with the fields that it is compared with. */
export function askedOf(fields: readonly Field[], leaves: readonly Held[], place: Place, changes: readonly Modification[] = [], own: (value: Json) => readonly Json[] = (value) => [value]): Asked {
  const wanted = new Set(fields.map(fieldText));
  const tests = leaves.flatMap(({ leaf }): readonly Test[] => (leaf.is === 'test' && wanted.has(fieldText(leaf.field)) ? [withValues(leaf.test, own)] : []));
  const others = new Map<string, Field>();
  for (const { leaf } of leaves) {
    if (leaf.is !== 'compare') continue;
    if (wanted.has(fieldText(leaf.left))) others.set(fieldText(leaf.right), leaf.right);
    if (wanted.has(fieldText(leaf.right))) others.set(fieldText(leaf.left), leaf.left);
  }
  const testsOfOthers = place.linked.flatMap(({ leaves: all }) => all.flatMap(({ leaf }): readonly Test[] => (leaf.is === 'test' && others.has(fieldText(leaf.field)) ? [leaf.test] : [])));
  const names = new Set([...others.values()].flatMap((field) => (field.of === 'parameter' ? field.path.slice(0, 1) : [])));
  const theirs = asksOf({ tests: testsOfOthers, changes: place.linked.flatMap(({ rule }) => rule.modify.filter(({ path }) => names.has(path[0] ?? ''))), internal: [], linked: [], between: 1 });
  const values = [...others.values()].flatMap((field) => [field.of === 'identity' ? 'somebody@people.test' : '~', ...chosenOf(field, place)]);
  return { tests, changes, internal: place.internal, linked: [...theirs.constants, ...theirs.numbers, ...values], between: others.size > 0 ? 1 + others.size : 1 };
}

/** What the other field is, where it is chosen already: a value has to lie on each side of it. */
function chosenOf(field: Field, { make, chosen }: Place): readonly Json[] {
  const { base, next } = make(chosen.values());
  const situation = next ?? base;
  const reading = situation && readField(situation, field);
  return reading?.state === 'known' ? reading.values : [];
}

export const fieldText = (field: Field): string => (field.of === 'owner' ? fieldText({ of: 'attribute', name: 'owner', about: 'target' }) : JSON.stringify(field, (name, value: unknown) => (value instanceof Set ? [...value].sort() : value)));

function withValues(test: Test, own: (value: Json) => readonly Json[]): Test {
  switch (test.op) {
    case 'eq':
    case 'not':
      return { op: test.op === 'eq' ? 'in' : 'not_in', values: own(test.value) };
    case 'in':
    case 'not_in':
    case 'contains':
    case 'contains_all':
      return { op: test.op, values: test.values.flatMap(own) };
    case 'starts_with':
      return { op: test.op, values: test.values.flatMap((value) => own(value).flatMap((part) => (typeof part === 'string' ? [part] : []))) };
    default:
      return test;
  }
}

/** The texts that a comparison names. */
export const wordsOf = (test: Test): readonly string[] => ('values' in test ? test.values.flatMap((value: Json) => (typeof value === 'string' ? [value] : [])) : []);
