import { isJsonArray, isJsonObject, type Json } from '@/lib/shared/json';

const operatorWords: Readonly<Record<string, string>> = {
  eq: 'is', not: 'is not', in: 'is one of', not_in: 'is none of', lt: 'is under', lte: 'is at most', gt: 'is over', gte: 'is at least', contains: 'contains', contains_all: 'contains all of',
  matches: 'matches', starts_with: 'starts with', domain_in: 'has a domain of', within: 'lies within', external: 'is outside the organisation:', exists: 'is given:',
};

/** The conditions of a grant's scope, each as one sentence. Empty: any arguments. */
export function scopeWords(scope: Json): readonly string[] {
  if (scope === null) return [];
  if (!isJsonObject(scope)) return ['cannot be read'];
  return Object.entries(scope).flatMap(([parameter, condition]) => conditionWords(parameter, condition));
}

function conditionWords(parameter: string, condition: Json): readonly string[] {
  if (isJsonArray(condition)) return [`${parameter} is one of ${listed(condition)}`];
  if (!isJsonObject(condition)) return [`${parameter} is ${valueText(condition)}`];
  return Object.entries(condition).map(([operator, value]) => `${parameter} ${operatorWords[operator] ?? operator} ${isJsonArray(value) ? listed(value) : valueText(value)}`);
}

const listed = (values: readonly Json[]): string => values.map(valueText).join(', ');

const valueText = (value: Json): string => (typeof value === 'string' ? `“${value}”` : JSON.stringify(value));
