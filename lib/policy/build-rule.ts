import { identityNames, type Predicate } from '@/lib/engine/predicate';
import { isLoosening, type NeededField, type Rule } from '@/lib/engine/rule';
import type { Classification, Obligation } from '@/lib/engine/decision';
import type { Catalogue, DecisionKind } from '@/lib/mediate/catalogue';
import { nearestNames } from '@/lib/mediate/nearest-names';

import { buildCondition } from './build-condition';
import { buildContext, matchingKeys } from './build-context';
import { buildModify } from './build-modify';
import { buildWhen, readsContext } from './build-when';
import { checkDirection } from './check-direction';
import { checkShape } from './check-shape';
import type { Diagnostics, Path } from './diagnostics';
import type { RuleDocument } from './document-schema';

const usualPriority: Readonly<Record<DecisionKind, number>> = { DENY: 300, DEFER: 250, STEP_UP: 200, MODIFY: 100, ALLOW: 0 };

/** One rule as the engine takes it. Problems are collected; a rule that has any is never used. */
export function buildRule(raw: RuleDocument, path: Path, catalogue: Catalogue, hasInternalDomains: boolean, diagnostics: Diagnostics): Rule {
  const when = raw.when === undefined ? null : buildWhen(raw.when, [...path, 'when'], diagnostics);
  const context = raw.context ? buildContext(raw.context, [...path, 'context'], catalogue, diagnostics) : null;
  const hasContext = (context !== null && context.is === 'all' && context.of.length > 0) || (when !== null && readsContext(when));
  const keys = keysOf(raw, catalogue);
  const applies = [...matchPredicates(raw, keys, path, catalogue, diagnostics), ...(when && !readsContext(when) ? [when] : [])];
  const rule: Rule = {
    id: raw.id,
    action: raw.action,
    classification: classify(raw, hasContext, path, diagnostics),
    priority: raw.priority ?? usualPriority[raw.action],
    reason: raw.reason ?? `Rule ${raw.id} says ${raw.action}.`,
    guidance: raw.guidance ?? null,
    keys,
    applies: { is: 'all', of: applies },
    context: { is: 'all', of: [...(context ? [context] : []), ...(when && readsContext(when) ? [when] : [])] },
    approval: {
      approvers: raw.approvers ?? null, all_groups: raw.all_groups ?? false, quorum: raw.quorum ?? null,
      timeout_s: raw.action === 'STEP_UP' ? (raw.timeout ?? null) : null,
      escalate: raw.escalate ? { to: raw.escalate.to, after_s: raw.escalate.after } : null,
    },
    modify: raw.modify ? buildModify(raw.modify, [...path, 'modify'], hasInternalDomains, diagnostics) : [],
    needs: (raw.context_needed ?? []).map(neededField),
    defer_s: raw.action === 'DEFER' ? (raw.timeout ?? null) : null,
    obligations: obligationsOf(raw),
    opaque: raw.opaque ?? 'DENY',
  };
  checkShape(raw, rule, path, diagnostics);
  checkDirection(rule.context, isLoosening(rule), [...path, raw.context ? 'context' : 'when'], diagnostics);
  return rule;
}

function keysOf({ match }: RuleDocument, catalogue: Catalogue): ReadonlySet<string> {
  const list = (value: string | readonly string[] | undefined): readonly string[] | null => (value === undefined ? null : typeof value === 'string' ? [value] : value);
  const tools = list(match?.tool)?.map((tool) => catalogue.aliases.get(tool) ?? tool) ?? null;
  const keys = matchingKeys(tools, list(match?.operation), catalogue);
  const effects = list(match?.effect);
  return effects ? new Set([...keys].filter((key) => effects.includes(catalogue.entries.get(key)?.effect ?? ''))) : keys;
}

function matchPredicates({ match }: RuleDocument, keys: ReadonlySet<string>, path: Path, catalogue: Catalogue, diagnostics: Diagnostics): readonly Predicate[] {
  const predicates: Predicate[] = [];
  const entries = [...keys].flatMap((key) => catalogue.entries.get(key) ?? []);
  for (const [name, raw] of Object.entries(match?.parameters ?? {})) {
    const at = [...path, 'match', 'parameters', name];
    const parts = name.split('.');
    const [first = ''] = parts;
    const known = entries.length === 0 || entries.some((entry) => entry.open === true || Object.hasOwn(entry.parameters, first));
    if (!known) {
      const [near] = nearestNames(first, entries.flatMap((entry) => Object.keys(entry.parameters)));
      diagnostics.add(at, `None of the operations that this rule matches has a parameter ${JSON.stringify(first)}.`, near === undefined ? 'Remove it.' : `Did you mean ${near}?`);
    }
    predicates.push(buildCondition({ of: 'parameter', path: parts }, raw, at, diagnostics));
  }
  for (const [name, raw] of Object.entries(match?.identity ?? {})) {
    const at = [...path, 'match', 'identity', name];
    const field = identityNames.find((known) => known === name);
    if (field) predicates.push(buildCondition({ of: 'identity', name: field }, raw, at, diagnostics));
    else diagnostics.add(at, `There is no identity ${JSON.stringify(name)}.`, `Use one of ${identityNames.join(', ')}.`);
  }
  return predicates;
}

/** As stated, else derived; a statement that disagrees with what the rule does is an error. */
function classify(raw: RuleDocument, hasContext: boolean, path: Path, diagnostics: Diagnostics): Classification {
  const derived = hasContext ? contextual[raw.action] : 'static';
  const stated = raw.classification;
  if (stated === undefined || stated === derived) return derived;
  if (stated === 'forbidden' && raw.action === 'DENY' && !hasContext) return stated;
  if (stated === 'context_dependent_allow' && hasContext && (raw.action === 'STEP_UP' || raw.action === 'MODIFY')) return stated;
  const why = stated === 'forbidden' ? 'a forbidden rule denies and reads no context' : `with ${hasContext ? '' : 'no '}context and ${raw.action} this rule is ${derived}`;
  diagnostics.add([...path, 'classification'], `${stated} does not fit: ${why}.`, stated === 'forbidden' ? 'Remove the context, or the classification.' : `Write ${derived}, or leave it out.`);
  return derived;
}

const contextual: Readonly<Record<DecisionKind, Classification>> = {
  DENY: 'context_dependent_deny', DEFER: 'context_dependent_defer', STEP_UP: 'context_dependent_decision',
  MODIFY: 'context_dependent_decision', ALLOW: 'context_dependent_allow',
};

function neededField(name: string): NeededField {
  if (name === 'user_intent' || name === 'recipient') return { field: name, attribute: null };
  if (name === 'target_ownership' || name === 'owner') return { field: 'target_ownership', attribute: 'owner' };
  const attribute = name.replace(/^attributes\./, '');
  return { field: `attributes.${attribute}`, attribute };
}

function obligationsOf({ obligations }: RuleDocument): readonly Obligation[] {
  const found: Obligation[] = [];
  if (obligations?.sandbox !== undefined) found.push({ kind: 'sandbox', value: obligations.sandbox });
  if (obligations?.redact_output) found.push({ kind: 'redact_output', value: obligations.redact_output });
  if (obligations?.rate) found.push({ kind: 'rate', value: { max: obligations.rate.max, within_s: obligations.rate.within } });
  return found;
}
