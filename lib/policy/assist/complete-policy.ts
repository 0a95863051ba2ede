import { policyBlocks } from '../policy-blocks';
import type { PolicyFormat } from '../read-text';
import type { KnownNames } from './known-names';
import { namesFor, type Named } from './names-for';
import { placeAt, type Place } from './place-at';
import { descriptionOf, isScalar, propertiesOf, schemasAt, schemasBelow, wordsOf, type Schema } from './schema-at';

/** `insert` takes the place of what was typed since `from`. */
export type Completion = { readonly label: string; readonly kind: 'key' | 'value' | 'name'; readonly detail: string | null; readonly info: string | null; readonly insert: string };
export type Completions = { readonly from: number; readonly options: readonly Completion[] };

type Asked = { readonly text: string; readonly offset: number; readonly format: PolicyFormat };

/** What may stand at a place of a policy that is being written, from the published schema and the names that are known. Null where nothing may. */
export function completePolicy({ text, offset, format }: Asked, root: Schema, names: KnownNames): Completions | null {
  const place = placeIn(text, offset, format);
  if (!place) return null;
  const schemas = schemasAt(root, place.path);
  const values = place.at === 'value' || (schemas.length > 0 && schemas.every(isScalar));
  const options = values ? valuesAt(place, schemas, names) : keysAt(root, place, schemas, names, format);
  return options.length === 0 ? null : { from: place.from, options };
}

/** Prose of a Markdown policy has no place. */
export function placeIn(text: string, offset: number, format: PolicyFormat): Place | null {
  if (format !== 'markdown') return placeAt(text, offset);
  const { yaml } = policyBlocks(text);
  if (yaml === null) return null;
  // Prose is blanked a line at a time, which moves offsets, not lines.
  const before = text.slice(0, offset).split('\n');
  const lines = yaml.split('\n');
  const line = before.length - 1;
  const column = before.at(-1)?.length ?? 0;
  if ((lines[line] ?? '') === '' && column > 0) return null;
  const start = lines.slice(0, line).reduce((sum, one) => sum + one.length + 1, 0);
  const place = placeAt(yaml, start + column);
  return place && { ...place, from: place.from - start + offset - column };
}

function keysAt(root: Schema, place: Place, schemas: readonly Schema[], names: KnownNames, format: PolicyFormat): readonly Completion[] {
  const there = new Set(Object.keys(place.around.at(-1) ?? {}));
  const keys = schemas.flatMap((schema) => Object.entries(propertiesOf(schema)).map(([key]) => ({ key, required: isRequired(schema, key) })));
  const known = new Map<string, Completion>();
  for (const { key, required } of keys) {
    known.set(key, { label: key, kind: 'key', detail: required ? 'needed' : null, info: descriptionOf(schemasBelow(root, schemas, key)), insert: keyText(key, place, format) });
  }
  for (const { name, detail } of namesFor(place, 'key', names)) if (!known.has(name)) known.set(name, { label: name, kind: 'name', detail, info: null, insert: keyText(name, place, format) });
  return [...known.values()].filter(({ label }) => !there.has(label));
}

function valuesAt(place: Place, schemas: readonly Schema[], names: KnownNames): readonly Completion[] {
  const words: Completion[] = wordsOf(schemas).map((word) => ({ label: word, kind: 'value', detail: null, info: wordMeanings[word] ?? null, insert: word }));
  const more = namesFor(place, 'value', names).filter(({ name }) => !words.some(({ label }) => label === name));
  return [...words, ...more.map(({ name, detail }: Named): Completion => ({ label: name, kind: 'name', detail, info: null, insert: valueText(name, place) }))];
}

const isRequired = ({ required }: Schema, key: string): boolean => Array.isArray(required) && required.some((name) => name === key);

const keyText = (key: string, { quoted }: Place, format: PolicyFormat): string => (quoted ? key : format === 'json' ? `"${key}": ` : `${key}: `);

/** A name with a colon or a star is quoted in YAML, or it would read as something else. */
const valueText = (name: string, { quoted, flow }: Place): string => (!quoted && (/^[*&!|>%@`]/.test(name) || (flow && /[,[\]{}]/.test(name))) ? `"${name}"` : name);

/** What the words of the language mean where they stand as values. */
export const wordMeanings: Readonly<Record<string, string>> = {
  ALLOW: 'It may run at once, with a permit.',
  DENY: 'It may not run.',
  MODIFY: 'It may run as changed by the rule.',
  STEP_UP: 'It is held until people countersign it.',
  DEFER: 'It waits for facts that are missing.',
  forbidden: 'Denied, and nothing overrides it.',
  context_dependent_allow: 'Loosens a DENY when the context holds.',
  context_dependent_deny: 'Denies when the context holds.',
  context_dependent_decision: 'Only tightens, when the context holds.',
  context_dependent_defer: 'Defers when the context holds.',
  static: 'Reads no context.',
  PUBLIC: 'The lowest level.',
  RESTRICTED: 'The highest level.',
};
