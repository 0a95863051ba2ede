import { isJsonArray, type Json } from './json';

/** What a person may answer a missing fact with: a list is one of texts. */
export const factTypes = ['string', 'number', 'boolean', 'list'] as const;
export type FactType = (typeof factTypes)[number];

const mostItems = 100;
const longestText = 4096;

/** The type of a person's answer; undefined for what no person may type: an object, nothing, an empty or an overlong text or list. */
export function factTypeOf(value: Json): FactType | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? 'number' : undefined;
  if (typeof value === 'boolean') return 'boolean';
  if (isText(value)) return 'string';
  return isJsonArray(value) && value.length > 0 && value.length <= mostItems && value.every(isText) ? 'list' : undefined;
}

const isText = (value: Json): boolean => typeof value === 'string' && value.trim() !== '' && value.length <= longestText && value.isWellFormed();
