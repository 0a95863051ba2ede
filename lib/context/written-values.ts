import { isJsonArray, isJsonObject, type Json } from '@/lib/shared/json';

import { placesOf } from './forgotten-forms';
import { formsIn } from './value-index';

/** Bits of the filter that stands for the doubtful values of one resource: a thousand forms with one false finding in thirty. */
export const writtenBits = 8_192;

/**
 * A filter over the forms of texts, as hex. It may take a form for written that was not, never the other way round: the more was
 * written, the more of what is read is in doubt.
 */
export function filterOf(texts: readonly string[]): string {
  const nibbles = new Uint8Array(writtenBits / 4);
  for (const text of texts) {
    for (const form of formsIn(text)) for (const place of placesOf(form)) nibbles[(place % writtenBits) >> 2] = (nibbles[(place % writtenBits) >> 2] ?? 0) | (8 >> (place % 4));
  }
  return Array.from(nibbles, (nibble) => nibble.toString(16)).join('');
}

/** Forms of a text that may have been written; `bits` as PostgreSQL shows a bit string. */
export const writtenFormsIn = (text: string, bits: string): readonly string[] =>
  formsIn(text).filter((form) => placesOf(form).every((place) => bits[place % writtenBits] === '1'));

/** The leaves of parameters at these paths, as texts, with the names of the fields inside that lead to them. */
export function textsAt(parameters: Json, paths: readonly string[]): readonly string[] {
  const wanted = new Set(paths);
  const found: string[] = [];
  const walk = (node: Json, at: string, names: readonly string[]): void => {
    if (isJsonArray(node)) node.forEach((item, i) => { walk(item, `${at}[${String(i)}]`, names); });
    else if (isJsonObject(node)) for (const name of Object.keys(node)) walk(node[name] ?? null, at === '' ? name : `${at}.${name}`, at === '' ? names : [...names, name]);
    else if (wanted.has(at)) found.push(String(node), ...names);
  };
  walk(parameters, '', []);
  return found;
}
