import { escapeUntrusted } from '@/lib/approvals/escape-untrusted';
import type { Json, JsonObject } from '@/lib/shared/json';
import { ok, type Result } from '@/lib/shared/result';
import { parseStrictJson } from '@/lib/shared/strict-json';

/** One parameter as it is edited: a text as it stands, anything else as JSON. `out`: it is left out. */
export type EditField = { readonly name: string; readonly kind: 'text' | 'json'; readonly text: string; readonly out: boolean };

/** A text that hides something, or passes for another, is edited as JSON with its characters as escapes: nobody signs what they cannot see. */
export const editFields = (parameters: JsonObject): readonly EditField[] =>
  Object.keys(parameters).sort().map((name) => {
    const value = parameters[name] ?? null;
    return typeof value === 'string' && isPlain(value) ? { name, kind: 'text', text: value, out: false } : { name, kind: 'json', text: visibleJson(value), out: false };
  });

/** What a field says; refused as strictly as an agent's would be. */
export const fieldValue = ({ kind, text }: Pick<EditField, 'kind' | 'text'>): Result<Json> => (kind === 'text' ? ok(text) : parseStrictJson(text));

/** The parameters that the fields give; null while one of them is none. */
export function editedParameters(fields: readonly EditField[]): JsonObject | null {
  const kept: [string, Json][] = [];
  for (const field of fields) {
    if (field.out) continue;
    const value = fieldValue(field);
    if (!value.ok) return null;
    kept.push([field.name, value.value]);
  }
  return Object.fromEntries(kept);
}

const isPlain = (text: string): boolean => escapeUntrusted(text).every(({ kind }) => kind === 'text');

const visibleJson = (value: Json): string =>
  escapeUntrusted(JSON.stringify(value, null, 2)).map((piece) => (piece.kind === 'text' ? piece.text : escaped(piece.codePoint))).join('');

/** As JSON writes it: one escape for each UTF-16 code unit. */
const escaped = (codePoint: number): string => [...String.fromCodePoint(codePoint).split('')].map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`).join('');
