import { identityNames, type Predicate } from '@/lib/engine/predicate';
import { isLoosening, type NeededField, type Rule } from '@/lib/engine/rule';
import type { Classification, Obligation } from '@/lib/engine/decision';
import type { Catalogue, CatalogueEntry, DecisionKind } from '@/lib/mediate/catalogue';
import { showsEffects } from '@/lib/mediate/effect-of';

import { buildCondition } from './build-condition';
import { buildContext } from './build-context';
import { buildModify } from './build-modify';
import { buildWhen, readsContext } from './build-when';
import { checkDirection } from './check-direction';
import { checkContextNames, checkParameter, checkWhenNames } from './check-names';
import { checkShape } from './check-shape';
import type { Diagnostics, Path } from './diagnostics';
import type { RuleDocument } from './document-schema';
import { matchingKeys } from './policy-names';

const usualPriority: Readonly<Record<DecisionKind, number>> = { DENY: 300, DEFER: 250, STEP_UP: 200, MODIFY: 100, ALLOW: 0 };

/** One rule as the engine takes it. Problems are collected; a rule that has any is never used. */
export function buildRule(raw: RuleDocument, path: Path, catalogue: Catalogue, hasInternalDomains: boolean, diagnostics: Diagnostics): Rule {
  const rule = buildParts(raw, path, catalogue, hasInternalDomains, diagnostics);
  const hasContext = rule.context.is === 'all' && rule.context.of.length > 0;
  checkClassification(raw, hasContext, path, diagnostics);
  checkShape(raw, rule, path, diagnostics);
  checkDirection(rule.context, isLoosening(rule), [...path, raw.context ? 'context' : 'when'], diagnostics);
  return rule;
}

/** The rule without asking whether its parts fit each other: for one of which some cannot be read. */
export function buildParts(raw: RuleDocument, path: Path, catalogue: Catalogue, hasInternalDomains: boolean, diagnostics: Diagnostics): Rule {
  const loosening = raw.action === 'ALLOW' || raw.classification === 'context_dependent_allow';
  const when = raw.when === undefined ? null : buildWhen(raw.when, { path: [...path, 'when'], loosening, catalogue, diagnostics });
  const context = raw.context ? buildContext(raw.context, [...path, 'context'], catalogue, diagnostics) : null;
  const contexts = [...(context && context.of.length > 0 ? [context] : []), ...(when && readsContext(when) ? [when] : [])];
  const keys = keysOf(raw, catalogue);
  const entries = [...keys].flatMap((key) => catalogue.entries.get(key) ?? []);
  if (when) checkWhenNames(when, raw.when ?? '', entries, [...path, 'when'], diagnostics);
  if (context) checkContextNames(context, entries, [...path, 'context'], diagnostics);
  const applies = [...matchPredicates(raw, entries, path, diagnostics), ...(when && !readsContext(when) ? [when] : [])];
  return {
    id: raw.id,
    action: raw.action,
    classification: raw.classification ?? derivedClassification(raw, contexts.length > 0),
    priority: raw.priority ?? usualPriority[raw.action],
    reason: raw.reason ?? `Rule ${raw.id} says ${raw.action}.`,
    guidance: raw.guidance ?? null,
    keys,
    applies: { is: 'all', of: applies },
    context: { is: 'all', of: contexts },
    approval: {
      approvers: raw.approvers ?? null, all_groups: raw.all_groups ?? false, quorum: raw.quorum ?? null,
      timeout_s: raw.action === 'STEP_UP' ? (raw.timeout ?? null) : null,
      escalate: raw.escalate ? { to: raw.escalate.to, after_s: raw.escalate.after } : null,
    },
    modify: raw.modify ? buildModify(raw.modify, { path: [...path, 'modify'], entries, hasInternalDomains, diagnostics }) : [],
    needs: (raw.context_needed ?? []).map(neededField),
    defer_s: raw.action === 'DEFER' ? (raw.timeout ?? null) : null,
    obligations: obligationsOf(raw),
    opaque: raw.opaque ?? 'DENY',
  };
}

function keysOf({ match }: RuleDocument, catalogue: Catalogue): ReadonlySet<string> {
  const list = (value: string | readonly string[] | undefined): readonly string[] | null => (value === undefined ? null : typeof value === 'string' ? [value] : value);
  const tools = list(match?.tool)?.map((tool) => catalogue.aliases.get(tool) ?? tool) ?? null;
  const keys = matchingKeys(tools, list(match?.operation), catalogue);
  const effects = list(match?.effect);
  const mayHave = (entry: CatalogueEntry | undefined): boolean => entry !== undefined && (effects?.includes(entry.effect) === true || showsEffects(entry));
  return effects ? new Set([...keys].filter((key) => mayHave(catalogue.entries.get(key)))) : keys;
}

function matchPredicates({ match }: RuleDocument, entries: readonly CatalogueEntry[], path: Path, diagnostics: Diagnostics): readonly Predicate[] {
  const predicates: Predicate[] = [];
  if (match?.effect !== undefined && entries.some(showsEffects)) {
    predicates.push({ is: 'test', field: { of: 'operation', name: 'effect' }, test: { op: 'in', values: typeof match.effect === 'string' ? [match.effect] : match.effect } });
  }
  for (const [name, raw] of Object.entries(match?.parameters ?? {})) {
    const at = [...path, 'match', 'parameters', name];
    const parts = name.split('.');
    const [first = ''] = parts;
    checkParameter(first, entries, at, diagnostics);
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

const derivedClassification = (raw: RuleDocument, hasContext: boolean): Classification => (hasContext ? contextual[raw.action] : 'static');

/** A statement that disagrees with what the rule does is an error. */
function checkClassification(raw: RuleDocument, hasContext: boolean, path: Path, diagnostics: Diagnostics): void {
  const derived = derivedClassification(raw, hasContext);
  const stated = raw.classification;
  if (stated === undefined || stated === derived) return;
  if (stated === 'forbidden' && raw.action === 'DENY' && !hasContext) return;
  if (stated === 'context_dependent_allow' && hasContext && (raw.action === 'STEP_UP' || raw.action === 'MODIFY')) return;
  const why = stated === 'forbidden' ? 'a forbidden rule denies and reads no context' : `with ${hasContext ? '' : 'no '}context and ${raw.action} this rule is ${derived}`;
  diagnostics.add([...path, 'classification'], `${stated} does not fit: ${why}.`, stated === 'forbidden' ? 'Remove the context, or the classification.' : `Write ${derived}, or leave it out.`);
}

const contextual: Readonly<Record<DecisionKind, Classification>> = {
  DENY: 'context_dependent_deny', DEFER: 'context_dependent_defer', STEP_UP: 'context_dependent_decision',
  MODIFY: 'context_dependent_decision', ALLOW: 'context_dependent_allow',
};

function neededField(name: string): NeededField {
  if (name === 'user_intent' || name === 'recipient') return { field: name, attribute: null };
  if (name === 'target_ownership' || name === 'owner') return { field: 'target_ownership', attribute: 'owner' };
  const ofRecipients = /^recipient\.attributes\.(.+)$/.exec(name)?.[1];
  if (ofRecipients !== undefined) return { field: name, attribute: ofRecipients };
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
