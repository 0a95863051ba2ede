import { holdArguments } from '@/lib/engine/hold-arguments';
import type { CompiledPolicy } from '@/lib/engine/policy';
import type { Predicate } from '@/lib/engine/predicate';
import type { CanonicalAction } from '@/lib/mediate/action';
import type { Catalogue } from '@/lib/mediate/catalogue';
import { canonicalJson } from '@/lib/shared/canonical-json';
import { isJsonObject, type Json } from '@/lib/shared/json';
import { fail, ok, type Result } from '@/lib/shared/result';

import { buildCondition } from './build-condition';
import { checkParameter } from './check-names';
import { Diagnostics, pathText } from './diagnostics';

/** Conditions in one scope, and characters of its canonical JSON, at most. */
export const mostScopeConditions = 20;
export const mostScopeCharacters = 8192;

/** What a grant gives: one tool, one of its operations or all (null), with arguments that keep to the scope. */
export type Granted = { readonly tool: string; readonly operation: string | null; readonly scope: Json };

/**
 * A grant's scope: null, or conditions on arguments in the words of a rule's `match.parameters`, all of which have to hold
 * (`{ "limit": { "lte": 100 }, "to": { "domain_in": ["corp.example"] } }`). Read against the catalogue in force. `grant_invalid` names
 * every place that cannot be read: a condition that was passed over would widen the grant.
 */
export function parseGrantScope({ tool, operation, scope }: Granted, catalogue: Catalogue): Result<Predicate> {
  const entries = [...catalogue.entries.values()].filter((entry) => entry.tool === tool && (operation === null || entry.operation === operation));
  if (entries.length === 0) return fail('grant_invalid', `The catalogue in force knows no ${tool}.${operation ?? '*'}.`);
  if (scope === null) return ok({ is: 'all', of: [] });
  if (!isJsonObject(scope)) return fail('grant_invalid', 'A scope is null, or conditions by parameter.', { fix: 'Write it like { "limit": { "lte": 100 } }.' });
  const names = Object.keys(scope);
  if (names.length === 0) return fail('grant_invalid', 'A scope without conditions limits nothing.', { fix: 'Write null for no limit.' });
  if (names.length > mostScopeConditions || canonicalJson(scope).length > mostScopeCharacters) return fail('grant_invalid', `A scope has at most ${mostScopeConditions} conditions and ${mostScopeCharacters} characters.`);
  const diagnostics = new Diagnostics();
  const of = names.map((name) => {
    const path = name.split('.');
    checkParameter(path[0] ?? '', entries, [name], diagnostics);
    return buildCondition({ of: 'parameter', path }, scope[name] ?? null, [name], diagnostics);
  });
  const [first] = diagnostics.found;
  if (!first) return ok({ is: 'all', of });
  const issues = diagnostics.found.map(({ path, message, fix }) => ({ path: pathText(path), message, fix }));
  return fail('grant_invalid', `${pathText(first.path)}: ${first.message}`, { fix: first.fix, issues });
}

/**
 * True when a grant covers exactly this action under this policy: tool, operation, and every condition on its arguments. An argument that
 * cannot be parsed, or a scope that the catalogue in force cannot read, is not covered.
 */
export function coversAction(granted: Granted, action: CanonicalAction, policy: Pick<CompiledPolicy, 'catalogue' | 'internalDomains'>): boolean {
  if (granted.tool !== action.tool || (granted.operation !== null && granted.operation !== action.operation)) return false;
  if (granted.scope === null) return true;
  const scope = parseGrantScope(granted, policy.catalogue);
  return scope.ok && holdArguments(scope.value, action, policy) === 'true';
}
