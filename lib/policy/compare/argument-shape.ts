import type { Test } from '@/lib/engine/predicate';
import type { ParameterSpec, ParameterType } from '@/lib/mediate/catalogue';
import { isJsonObject, type Json, type JsonObject } from '@/lib/shared/json';

import { asksOf, type Asked, type Asks } from './asks';
import { distinct, numberCandidates, roleCandidates, textCandidates, type Candidate } from './candidates';

/** How values of an argument are made: of one element or of several, and such as cannot be read to the end. */
export type ArgumentShape = {
  readonly elements: readonly Candidate[];
  readonly many: boolean;
  readonly compose: (elements: readonly Json[]) => readonly Json[];
  readonly extras: readonly Candidate[];
};

/** What is asked of parts of an object: `owner` of `where.owner`. */
export type Nested = { readonly path: readonly string[]; readonly tests: readonly Test[] };

const itself = (elements: readonly Json[]): readonly Json[] => elements.slice(0, 1);
const unreadable = 'an argument that cannot be read';

/** `named`: what commands may be beside what is asked of them. */
export function argumentShape(spec: ParameterSpec, asked: Asked, nested: readonly Nested[], named: readonly Candidate[]): ArgumentShape {
  const asks = asksOf(asked);
  const { role } = spec;
  const isList = spec.type === 'array';
  const listed = (elements: readonly Json[]): readonly Json[] => [elements];
  const nothing: readonly Candidate[] = spec.nullable === true ? [{ value: null, words: 'null' }] : [];
  if (role === undefined || role === 'target' || role === 'amount') {
    if (!isList) return { elements: [...scalarCandidates(spec.type, asks, asked, nested)], many: false, compose: itself, extras: nothing };
    const elements = scalarCandidates(spec.items ?? 'any', asks, asked, nested);
    return { elements, many: true, compose: listed, extras: [...nothing, { value: [], words: 'an empty list' }] };
  }
  const elements = [...roleCandidates(role, asks), ...named];
  switch (role) {
    case 'recipients':
      return { elements, many: true, compose: isList ? listed : (values) => [spelled(values).join(', ')], extras: [...nothing, ...withUnreadable(elements, 'a@b@c.test', isList, ', ')] };
    case 'path':
      return { elements, many: isList, compose: isList ? listed : itself, extras: [...nothing, ...elements.map(({ value, words }) => ({ value: isList ? [`${textOf(value)}/*`] : `${textOf(value)}/*`, words: `${words}, with a pattern` })), { value: isList ? ['../../zz'] : '../../zz', words: unreadable }] };
    case 'url':
      return { elements, many: isList, compose: isList ? listed : itself, extras: [...nothing, ...(isList ? withUnreadable(elements, 'nowhere', true, '') : [{ value: 'nowhere', words: unreadable }])] };
    case 'command':
      return { elements, many: true, compose: (values) => [spelled(values).join('; ')], extras: [...nothing, ...elements.map(({ value, words }) => ({ value: `${textOf(value)} && $(cat zz`, words: `${words}, and what cannot be read` }))] };
    case 'query':
      return { elements, many: true, compose: statements, extras: [...nothing, { value: 'SELEKT zz', words: unreadable }] };
  }
}

/** Elements of a role are texts. */
const textOf = (value: Json): string => (typeof value === 'string' ? value : '');
const spelled = (values: readonly Json[]): readonly string[] => values.map(textOf);

const withUnreadable = (elements: readonly Candidate[], odd: string, isList: boolean, separator: string): readonly Candidate[] => [
  { value: isList ? [odd] : odd, words: unreadable },
  ...elements.map(({ value, words }): Candidate => ({ value: isList ? [value, odd] : `${textOf(value)}${separator}${odd}`, words: `${words}, and what cannot be read` })),
];

/** Reading, changing and deleting: what a statement does is seen too. */
function statements(tables: readonly Json[]): readonly Json[] {
  const [first = 'zz_table', ...more] = spelled(tables);
  const where = more.length > 0 ? `id IN (SELECT id FROM ${more.join(', ')})` : 'id = 1';
  return [`SELECT id FROM ${[first, ...more].join(', ')}`, `UPDATE ${first} SET a = 1 WHERE ${where}`, `DELETE FROM ${first} WHERE ${where}`];
}

function scalarCandidates(type: ParameterType, asks: Asks, asked: Asked, nested: readonly Nested[]): readonly Candidate[] {
  switch (type) {
    case 'string':
      return textCandidates(asks);
    case 'number':
      return numberCandidates(asks, false);
    case 'integer':
      return numberCandidates(asks, true);
    case 'boolean':
      return [{ value: true, words: 'true' }, { value: false, words: 'false' }];
    case 'array':
      return distinct(textCandidates(asks).map(({ value, words }) => ({ value: [value], words })));
    case 'object':
      return objectCandidates(asked, nested);
    case 'any':
      return distinct([...textCandidates(asks), ...(asks.numbers.size > 0 ? numberCandidates(asks, false) : []), ...[...asks.booleans].map((value) => ({ value, words: String(value) })), ...objectCandidates(asked, nested)]);
  }
}

/** Every combination of what the parts may be, absent included. */
function objectCandidates(asked: Asked, nested: readonly Nested[]): readonly Candidate[] {
  let found: readonly { readonly value: JsonObject; readonly words: string }[] = [{ value: {}, words: '' }];
  for (const { path, tests } of nested) {
    const asks = asksOf({ ...asked, tests, changes: asked.changes.filter((change) => change.path.slice(1).join('.') === path.join('.')) });
    const parts = [...textCandidates(asks), ...(asks.numbers.size > 0 ? numberCandidates(asks, false) : []), ...[...asks.booleans].map((value) => ({ value, words: String(value) }))];
    const kept = parts.slice(0, Math.max(2, Math.floor(mostObjects / found.length)));
    found = found.flatMap((before) => [before, ...kept.map(({ value, words }) => ({ value: withPart(before.value, path, value), words: `${before.words === '' ? '' : `${before.words}, `}${path.join('.')} ${words}` }))]);
  }
  const filtered = asked.changes.filter(({ form }) => form === 'add_filter').flatMap((change): Candidate[] => {
    const pair = change.form === 'add_filter' ? /^\s*([A-Za-z_][A-Za-z0-9_.]*)\s*=\s*(?:'([^']*)'|(-?\d+(?:\.\d+)?))\s*$/.exec(change.and) : null;
    const name = pair?.[1];
    return name === undefined ? [] : [{ value: { [name]: pair?.[2] ?? Number(pair?.[3]) }, words: 'already narrowed' }, { value: { [name]: 'otherwise' }, words: 'narrowed to something else' }];
  });
  const secret: readonly Candidate[] = asked.changes.some(({ form }) => form === 'redact') ? [{ value: { token: 'x' }, words: 'with a secret' }, { value: { note: 'write to somebody@elsewhere.test' }, words: 'with an address' }, { value: { note: 'DE89 3704 0044 0532 0130 00' }, words: 'with an account' }] : [];
  return distinct([...found.map(({ value, words }) => ({ value, words: words === '' ? 'any object' : words })), ...filtered, ...secret]);
}

const mostObjects = 150;

function withPart(object: JsonObject, [name = '', ...rest]: readonly string[], value: Json): JsonObject {
  const inner = object[name];
  return { ...object, [name]: rest.length === 0 ? value : withPart(isJsonObject(inner) ? inner : {}, rest, value) };
}
