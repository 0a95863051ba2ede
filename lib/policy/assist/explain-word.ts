import type { CatalogueEntry } from '@/lib/mediate/catalogue';

import type { PolicyFormat } from '../read-text';
import { placeIn, wordMeanings } from './complete-policy';
import type { KnownNames } from './known-names';
import { effectWords, namesFor } from './names-for';
import { descriptionOf, schemasAt, schemasBelow, wordsOf, type Schema } from './schema-at';

/** What a word of a policy means where it stands: `title` is the word, `lines` say it. */
export type WordMeaning = { readonly from: number; readonly to: number; readonly title: string; readonly lines: readonly string[] };

const wordChar = /[A-Za-z0-9_.*@:-]/;

/** Null where there is nothing to say. */
export function explainWord({ text, offset, format }: { readonly text: string; readonly offset: number; readonly format: PolicyFormat }, root: Schema, names: KnownNames): WordMeaning | null {
  let from = offset;
  while (from > 0 && wordChar.test(text.charAt(from - 1))) from -= 1;
  let to = offset;
  while (to < text.length && wordChar.test(text.charAt(to))) to += 1;
  // The colon behind a key is no part of it; one within a name is.
  while (to > from && text.charAt(to - 1) === ':') to -= 1;
  if (from >= to) return null;
  const word = text.slice(from, to);
  const lines = /^["']?\s*:(?:\s|$)/.test(text.slice(to, to + 4)) ? keyLines(text, from, word, format, root) : valueLines(text, to, word, format, root, names);
  return lines.length === 0 ? null : { from, to, title: word, lines };
}

function keyLines(text: string, from: number, word: string, format: PolicyFormat, root: Schema): readonly string[] {
  const place = placeIn(text, from, format);
  if (place?.at !== 'key') return [];
  const schemas = schemasBelow(root, schemasAt(root, place.path), word);
  const description = descriptionOf(schemas);
  const words = wordsOf(schemas);
  return [...(description === null ? [] : [description]), ...(words.length === 0 || words.length > 12 ? [] : [`One of ${words.join(', ')}.`])];
}

function valueLines(text: string, to: number, word: string, format: PolicyFormat, root: Schema, names: KnownNames): readonly string[] {
  const place = placeIn(text, to, format);
  if (!place) return [];
  const [meaning] = [wordMeanings[word]];
  if (meaning !== undefined && wordsOf(schemasAt(root, place.path)).includes(word)) return [meaning];
  const found = namesFor(place, 'value', names).find(({ name }) => name === word);
  const entry = names.catalogue.entries.get(word);
  if (entry) return entryLines(entry);
  if (!found) return [];
  const { entries } = names.catalogue;
  const operations = found.detail === 'tool' ? [...entries.values()].filter(({ tool }) => tool === word).map(({ operation }) => operation) : [];
  return operations.length === 0 ? [`${found.detail}.`] : [`A tool with ${operations.join(', ')}.`];
}

const entryLines = (entry: CatalogueEntry): readonly string[] => [
  `${effectWords(entry)}${entry.grant ? ', needs a grant' : ''}.`,
  ...Object.entries(entry.parameters).map(([name, { type, role, optional }]) => `${name}: ${type}${role === undefined ? '' : `, ${role}`}${optional === true ? ', optional' : ''}`),
];
