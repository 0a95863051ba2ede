import { canonicalJson } from '@/lib/shared/canonical-json';
import { isJsonArray, isJsonObject, type Json } from '@/lib/shared/json';

import type { Granted } from './grant-scope';

/** What of a grant can be narrowed. `uses` of the wider one are those that are left. */
export type GrantTerms = Granted & { readonly agent: string; readonly uses: number; readonly expires_at: string };

/**
 * Whether the first grant gives nothing that the second does not: the same agent and tool, no more operations, uses or time, and
 * each condition of the wider one kept or tightened. Sure when it says yes; a narrowing that it cannot see is not one.
 */
export function narrowsGrant(narrow: GrantTerms, wide: GrantTerms): boolean {
  return (
    narrow.agent === wide.agent && narrow.tool === wide.tool && (wide.operation === null || narrow.operation === wide.operation) &&
    narrow.uses <= wide.uses && narrow.expires_at <= wide.expires_at && narrowsScope(narrow.scope, wide.scope)
  );
}

function narrowsScope(narrow: Json, wide: Json): boolean {
  if (wide === null) return true;
  if (!isJsonObject(wide) || !isJsonObject(narrow)) return false;
  return Object.entries(wide).every(([name, condition]) => Object.hasOwn(narrow, name) && narrowsCondition(narrow[name] ?? null, condition));
}

/** Operators that all have to hold: more of them ask for more, a bound may move inwards, a list may lose values. */
function narrowsCondition(narrow: Json, wide: Json): boolean {
  if (canonicalJson(narrow) === canonicalJson(wide)) return true;
  const [tight, loose] = [operatorsOf(narrow), operatorsOf(wide)];
  return Object.entries(loose).every(([operator, value]) => Object.entries(tight).some(([mine, own]) => narrowsOperator(mine, own, operator, value)));
}

/** A scalar stands for `eq`, a list for `in`. */
const operatorsOf = (condition: Json): Readonly<Record<string, Json>> =>
  isJsonObject(condition) ? condition : isJsonArray(condition) ? { in: condition } : { eq: condition };

function narrowsOperator(mine: string, own: Json, operator: string, value: Json): boolean {
  if (mine === operator && canonicalJson(own) === canonicalJson(value)) return true;
  const isAmong = (one: Json, many: Json): boolean => isJsonArray(many) && many.some((other) => canonicalJson(other) === canonicalJson(one));
  if (operator === 'in') return mine === 'eq' ? isAmong(own, value) : mine === 'in' && isJsonArray(own) && own.every((one) => isAmong(one, value));
  if (operator === 'domain_in' || operator === 'not_in') {
    const [from, to] = operator === 'not_in' ? [value, own] : [own, value];
    return mine === operator && isJsonArray(from) && from.every((one) => isAmong(one, to));
  }
  if (typeof own !== 'number' || typeof value !== 'number') return false;
  if (operator === 'lte') return (mine === 'lte' && own <= value) || (mine === 'lt' && own <= value) || (mine === 'eq' && own <= value);
  if (operator === 'lt') return (mine === 'lt' && own <= value) || (mine === 'lte' && own < value) || (mine === 'eq' && own < value);
  if (operator === 'gte') return (mine === 'gte' && own >= value) || (mine === 'gt' && own >= value) || (mine === 'eq' && own >= value);
  if (operator === 'gt') return (mine === 'gt' && own >= value) || (mine === 'gte' && own > value) || (mine === 'eq' && own > value);
  return false;
}
