import { isSeal } from '@/lib/ledger/content';
import { isJsonArray, isJsonObject, type Json, type JsonObject } from '@/lib/shared/json';

/** The value with each sealed part as words: that it is sealed, and by which digest a bundle would have it. */
export function sealedText(value: Json): Json {
  if (isSeal(value)) return `[sealed, sha256 ${value.$sealed.slice(0, 8)}…${value.$sealed.slice(-4)}]`;
  if (isJsonArray(value)) return value.map(sealedText);
  return isJsonObject(value) ? Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, sealedText(inner)])) : value;
}

/** The parameters of a stored action; undefined when it is none. */
export function parametersOf(action: Json | undefined): JsonObject | undefined {
  const parameters = isJsonObject(action) ? action['parameters'] : undefined;
  return isJsonObject(parameters) ? parameters : undefined;
}
