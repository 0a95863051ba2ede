import type { CompiledPolicy } from '@/lib/engine/policy';
import { testsOf } from '@/lib/policy/tests-of';
import type { Rule } from '@/lib/engine/rule';
import type { CatalogueEntry } from '@/lib/mediate/catalogue';

import type { Change, ChangeEffect, Comparison, DecisionChange } from './comparison';
import { searchOperation, type Budget, type Found } from './search-operation';
import { settingChanges, withSettingsOf } from './setting-changes';
import { ruleText, trackRules, type TrackedRule } from './tracked-rule';

/** Raised whenever the same two texts may come to another class than before: proofs name it, and a verifier that compares otherwise says so. */
export const comparisonMethod = 'classes/2';

/** Every process has to come to the same class, so that bounds count classes and never time. */
export const usualBounds = { classes: 30_000, changes: 200 } as const;

export type CompareOptions = { readonly bounds?: { readonly classes: number; readonly changes: number } };

/**
 * What another policy changes: for every operation the classes of actions that the two tell apart are decided under both by the engine
 * itself, so that each change that is told is true, and none is left out unless `unproved` says so. `base` null: nothing was in force,
 * and everything was denied. Pure and bounded.
 */
export function comparePolicies(base: CompiledPolicy | null, next: CompiledPolicy, { bounds = usualBounds }: CompareOptions = {}): Comparison {
  const settings = base ? settingChanges(base, next) : [];
  const aligned = base && withSettingsOf(base, next);
  const budget: Budget = { left: bounds.classes, classes: 0 };
  const unproved = new Set<string>();
  const found: DecisionChange[] = [];
  let operations = 0;
  let unchanged = 0;
  const texts = new Map<Rule, string>();
  const keys = new Set([...(base?.catalogue.entries.keys() ?? []), ...next.catalogue.entries.keys()]);
  const [before, after] = [base, next].map((policy) => (policy ? rulesByKey(policy) : new Map<string, readonly Rule[]>()));
  const stale = base ? staleFields(base, next) : new Set<string>();
  const blanket = base !== null && (base.defaults.decision !== next.defaults.decision || base.confidence.defer_below !== next.confidence.defer_below);
  for (const key of [...keys].sort()) {
    const [entryBefore, entryAfter] = [base?.catalogue.entries.get(key), next.catalogue.entries.get(key)];
    const entry = entryAfter ?? entryBefore;
    if (!entry) continue;
    const isFree = blanket || !entryBefore || !entryAfter || (entryBefore !== entryAfter && entryText(entryBefore) !== entryText(entryAfter));
    const sorted = sortRules(before?.get(key) ?? [], after?.get(key) ?? [], texts, (rule) => isStale(rule, stale));
    if (!isFree && sorted.base.length + sorted.next.length === 0) {
      unchanged += 1;
      continue;
    }
    const tracked = trackRules(sorted, entry);
    const changed = new Set(tracked.filter(({ side }) => side !== 'both'));
    operations += 1;
    // Arguments are searched as the next policy's tool takes them: what only one of the two takes, or reads otherwise, is not.
    if (entryBefore && entryAfter && parametersText(entryBefore) !== parametersText(entryAfter)) unproved.add(`${key}: the tool takes other parameters than before, and what only one of the two takes was not searched.`);
    const { found: some, doubts } = searchOperation({
      entry, base: aligned, realBase: base, next, tracked, changed: isFree ? null : changed, budget,
      internal: [...new Set([...(base?.internalDomains ?? []), ...(next.internalDomains ?? [])])],
      grants: entryBefore?.grant === true ? (entryAfter?.grant === true ? 'both' : 'one') : entryAfter?.grant === true ? 'one' : 'none',
    });
    for (const doubt of doubts) unproved.add(doubt);
    found.push(...some.map((one) => changeOf(one, entry)));
  }
  const changes: readonly Change[] = [...found, ...settings].sort((a, b) => rankOf(a) - rankOf(b));
  const effects = new Set(changes.flatMap((change) => change.effects));
  return {
    change: unproved.size > 0 ? 'not_proved' : classOfEffects(effects),
    changes: changes.slice(0, bounds.changes),
    further: Math.max(0, changes.length - bounds.changes),
    unproved: [...unproved].sort().slice(0, 100),
    method: comparisonMethod,
    exhaustive: unproved.size === 0,
    counted: { classes: budget.classes, operations, unchanged_operations: unchanged },
  };
}

export function classOfEffects(effects: ReadonlySet<ChangeEffect>): Comparison['change'] {
  if (effects.has('loosens')) return effects.has('tightens') ? 'mixed' : 'loosen';
  if (effects.has('moves')) return 'moved_authority';
  return effects.has('tightens') ? 'tighten' : 'none';
}

const rankOf = ({ effects }: Change): number => (effects.includes('loosens') ? 0 : effects.includes('moves') ? 1 : 2);

function rulesByKey({ rules }: CompiledPolicy): Map<string, readonly Rule[]> {
  const found = new Map<string, Rule[]>();
  for (const rule of rules) {
    for (const key of rule.keys) {
      const list = found.get(key);
      if (list) list.push(rule);
      else found.set(key, [rule]);
    }
  }
  return found;
}

/** Rules of one operation that stand in both texts alike, and those of either that do not. */
function sortRules(before: readonly Rule[], after: readonly Rule[], texts: Map<Rule, string>, isAffected: (rule: Rule) => boolean): Readonly<Record<TrackedRule['side'], readonly Rule[]>> {
  const textOf = (rule: Rule): string => {
    const text = texts.get(rule) ?? ruleText(rule);
    texts.set(rule, text);
    return text;
  };
  const [were, are] = [new Set(before.map(textOf)), new Set(after.map(textOf))];
  const stays = (rule: Rule): boolean => were.has(textOf(rule)) && are.has(textOf(rule)) && !isAffected(rule);
  const other = (rule: Rule): boolean => !stays(rule);
  return { both: after.filter(stays), base: before.filter(other), next: after.filter(other) };
}

/** Attributes that other sources may say now; `external` where the organisation's own domains are others; `confidence` where its bounds are. */
function staleFields(base: CompiledPolicy, next: CompiledPolicy): ReadonlySet<string> {
  const stale = new Set<string>();
  for (const name of new Set([...base.information.keys(), ...next.information.keys()])) {
    if (JSON.stringify(base.information.get(name)) !== JSON.stringify(next.information.get(name))) stale.add(`attribute ${name}`);
  }
  const domains = (policy: CompiledPolicy): string => JSON.stringify(policy.internalDomains && [...policy.internalDomains].sort());
  if (domains(base) !== domains(next)) stale.add('external');
  if (base.confidence.high !== next.confidence.high || base.confidence.low !== next.confidence.low) stale.add('confidence');
  return stale;
}

/** Whether a rule that stands in both texts may still mean something else. */
function isStale(rule: Rule, stale: ReadonlySet<string>): boolean {
  if (stale.size === 0) return false;
  if (stale.has('confidence') && rule.classification === 'context_dependent_allow') return true;
  const tests = [...testsOf(rule.applies), ...testsOf(rule.context)];
  if (stale.has('external') && (tests.some(({ test }) => test.op === 'external') || rule.modify.some((change) => change.form === 'restrict' && change.to.includes('internal')))) return true;
  const isOther = (name: string): boolean => stale.has(`attribute ${name}`);
  const readsPath = isOther('symlink') || isOther('same_file');
  return rule.needs.some(({ attribute }) => attribute !== null && isOther(attribute))
    || tests.some(({ field }) => (field.of === 'owner' && isOther('owner')) || (field.of === 'attribute' && isOther(field.name)) || (field.of === 'parameter' && readsPath) || (field.of === 'risk' && [...stale].some((one) => one.startsWith('attribute'))));
}

/** What of an entry decisions depend on. */
const entryText = ({ tool, operation, effect, impact, decision, grant, ...entry }: CatalogueEntry): string =>
  JSON.stringify([tool, operation, effect, impact, decision ?? null, grant, parametersText(entry)]);

function parametersText({ parameters, open }: Pick<CatalogueEntry, 'parameters' | 'open'>): string {
  const specs = Object.keys(parameters).sort().map((name) => {
    const spec = parameters[name];
    return [name, spec?.type, spec?.items, spec?.scalar_or_array === true, spec?.optional === true, spec?.nullable === true, spec?.role];
  });
  return JSON.stringify([open === true, specs]);
}

function changeOf({ where, from, to, differences, effects, witness, classes }: Found, { tool, operation }: CatalogueEntry): DecisionChange {
  const parts = [...where].map(([dimension, ways]) => ({ dimension, words: `${nameOf(dimension)}: ${ways.slice(0, 12).join(' or ')}${ways.length > 12 ? ' or others' : ''}`.slice(0, 4000) }));
  const agents = parts.filter(({ dimension }) => dimension.startsWith('identity '));
  return {
    of: 'decision', agents: agents.length === 0 ? 'every agent' : agents.map(({ words }) => words).join('; '), tool, operation,
    where: parts.filter((part) => !agents.includes(part)).map(({ words }) => words),
    from, to, differences, effects, witness, classes,
  };
}

function nameOf(dimension: string): string {
  const [kind = '', ...rest] = dimension.split(' ');
  const name = rest.join(' ');
  const names: Readonly<Record<string, string>> = { parameter: `parameters.${name}`, identity: name, attribute: name.replace(/^target /, '').replace(/^recipients /, 'of recipients: '), provenance: `where ${name} comes from`, subject: 'about', risk: `risk ${name}`, history: 'before', fit: 'situation', labels: 'labels', intent: 'request', elapsed: 'since the session began', time: 'at' };
  return names[kind] ?? dimension;
}
