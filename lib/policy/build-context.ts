import { conceptOf } from '@/lib/context/lexicon';
import { provenances } from '@/lib/context/entry';
import type { Field, Predicate, Step } from '@/lib/engine/predicate';
import { effects, type Catalogue } from '@/lib/mediate/catalogue';
import { nearestNames } from '@/lib/mediate/nearest-names';
import { isJsonArray, isJsonObject, type Json, type JsonObject } from '@/lib/shared/json';

import { buildCondition, operators } from './build-condition';
import type { Diagnostics, Path } from './diagnostics';
import { parseDuration } from './parse-duration';
import { keysNamed, matchesPattern } from './policy-names';

const known = [
  'prior_actions', 'data_classification', 'user_intent', 'target_ownership', 'recipient', 'provenance', 'volume', 'count', 'velocity',
  'elapsed', 'sequence', 'attributes',
];
const later = ['time', 'time_window', 'window', 'risk', 'risk_signals', 'signals'];

/** The context part of a rule: every predicate must hold. */
export function buildContext(context: JsonObject, path: Path, catalogue: Catalogue, diagnostics: Diagnostics): Predicate {
  return { is: 'all', of: Object.entries(context).map(([name, raw]) => buildOne(name, raw, [...path, name], catalogue, diagnostics)) };
}

function buildOne(name: string, raw: Json, path: Path, catalogue: Catalogue, diagnostics: Diagnostics): Predicate {
  switch (name) {
    case 'prior_actions':
      return buildCondition({ of: 'prior' }, raw, path, diagnostics, (value, at) => spellAction(value, at, catalogue, diagnostics));
    case 'data_classification':
      return buildCondition({ of: 'labels' }, raw, path, diagnostics, (value, at) => spellLabel(value, at, diagnostics));
    case 'user_intent':
      return buildCondition({ of: 'intent' }, raw, path, diagnostics, (value, at) => spellConcept(value, at, diagnostics));
    case 'target_ownership':
      return buildCondition({ of: 'owner' }, raw, path, diagnostics);
    case 'recipient':
      return buildCondition({ of: 'recipient' }, raw, path, diagnostics);
    case 'elapsed':
      return buildCondition({ of: 'elapsed' }, raw, path, diagnostics);
    case 'provenance':
      return buildEach(raw, path, diagnostics, (argument) => ({ of: 'provenance', path: argument.replace(/^parameters\./, '') }), (value, at) => spellProvenance(value, at, diagnostics));
    case 'attributes':
      return buildEach(raw, path, diagnostics, (attribute) => ({ of: 'attribute', name: attribute }));
    case 'count':
    case 'volume':
    case 'velocity':
      return buildCount(name, raw, path, catalogue, diagnostics);
    case 'sequence':
      return buildSequence(raw, path, catalogue, diagnostics);
    default: {
      if (later.includes(name)) diagnostics.add(path, `unsupported: ${name} cannot be decided on yet, so it is not read.`, 'Remove it; a predicate that is skipped would change what the rule means.');
      else {
        const near = nearestNames(name, known)[0];
        diagnostics.add(path, `There is no context predicate ${JSON.stringify(name)}.`, near === undefined ? `Use one of ${known.join(', ')}.` : `Did you mean ${near}?`);
      }
      return { is: 'any', of: [] };
    }
  }
}

function buildEach(raw: Json, path: Path, diagnostics: Diagnostics, field: (name: string) => Field, spell?: Parameters<typeof buildCondition>[4]): Predicate {
  if (!isJsonObject(raw) || Object.keys(raw).length === 0) {
    diagnostics.add(path, 'Wanted names, each with a condition.');
    return { is: 'any', of: [] };
  }
  return { is: 'all', of: Object.entries(raw).map(([name, condition]) => buildCondition(field(name), condition, [...path, name], diagnostics, spell)) };
}

function buildCount(name: 'count' | 'volume' | 'velocity', raw: Json, path: Path, catalogue: Catalogue, diagnostics: Diagnostics): Predicate {
  if (!isJsonObject(raw)) {
    diagnostics.add(path, 'Wanted a number to compare with, such as { gt: 5, within: 10m }.');
    return { is: 'any', of: [] };
  }
  const comparisons = Object.fromEntries(Object.entries(raw).filter(([key]) => key !== 'within' && operators.some((operator) => operator === key)));
  const which = buildStep(Object.fromEntries(Object.entries(raw).filter(([key]) => !(key in comparisons) && key !== 'within')), path, catalogue, diagnostics);
  const within_s = buildWithin(raw, path, diagnostics);
  if (name === 'velocity' && within_s === null) diagnostics.add(path, 'A velocity needs the time that it is measured over.', 'Add within: 1m.');
  return buildCondition({ of: 'count', name, which, within_s }, comparisons, path, diagnostics);
}

function buildSequence(raw: Json, path: Path, catalogue: Catalogue, diagnostics: Diagnostics): Predicate {
  const steps = isJsonObject(raw) && isJsonArray(raw.steps) ? raw.steps : [];
  if (!isJsonObject(raw) || steps.length < 2 || steps.length > 10) {
    diagnostics.add(path, 'A sequence needs two to ten steps; the last one is the action itself.');
    return { is: 'any', of: [] };
  }
  for (const key of Object.keys(raw)) if (key !== 'steps' && key !== 'within') diagnostics.add([...path, key], `There is no key ${JSON.stringify(key)} here.`);
  const built = steps.map((step, i) => buildStep(isJsonObject(step) ? step : {}, [...path, 'steps', i], catalogue, diagnostics));
  const last = built.at(-1);
  return last ? { is: 'sequence', before: built.slice(0, -1), last, within_s: buildWithin(raw, path, diagnostics) } : { is: 'any', of: [] };
}

function buildWithin(raw: JsonObject, path: Path, diagnostics: Diagnostics): number | null {
  if (!Object.hasOwn(raw, 'within')) return null;
  const seconds = typeof raw.within === 'string' ? parseDuration(raw.within) : undefined;
  if (seconds === undefined) diagnostics.add([...path, 'within'], 'A time is written like 90s, 10m, 1h30m or 2d, at most 30d.');
  return seconds ?? null;
}

function buildStep(raw: JsonObject, path: Path, catalogue: Catalogue, diagnostics: Diagnostics): Step {
  for (const key of Object.keys(raw)) {
    if (!['tool', 'operation', 'effect', 'label'].includes(key)) diagnostics.add([...path, key], `There is no key ${JSON.stringify(key)} here.`, 'A step has tool, operation, effect and label.');
  }
  const texts = (key: string): readonly string[] | null => {
    const value = raw[key];
    if (value === undefined) return null;
    const list = (isJsonArray(value) ? value : [value]).filter((part) => typeof part === 'string');
    if (list.length === 0) diagnostics.add([...path, key], 'Wanted a name or a list of names.');
    return list;
  };
  const tools = texts('tool')?.map((tool) => catalogue.aliases.get(tool) ?? tool) ?? null;
  const operations = texts('operation');
  const wantedEffects = texts('effect');
  for (const effect of wantedEffects ?? []) if (!effects.some((one) => one === effect)) diagnostics.add([...path, 'effect'], `There is no effect ${effect}.`, `Use one of ${effects.join(', ')}.`);
  const [label] = raw.label === undefined ? [] : spellLabel(raw.label, [...path, 'label'], diagnostics);
  return {
    keys: tools || operations ? matchingKeys(tools, operations, catalogue) : null,
    effects: wantedEffects ? effects.filter((effect) => wantedEffects.includes(effect)) : null,
    label: typeof label === 'string' ? label : null,
  };
}

/** The catalogue's keys whose tool and operation the patterns name. */
export function matchingKeys(tools: readonly string[] | null, operations: readonly string[] | null, catalogue: Catalogue): ReadonlySet<string> {
  const keys = new Set<string>();
  for (const [key, entry] of catalogue.entries) {
    if (tools && !tools.some((pattern) => matchesPattern(pattern, entry.tool))) continue;
    if (operations && !operations.some((pattern) => matchesPattern(pattern, entry.operation))) continue;
    keys.add(key);
  }
  return keys;
}

function spellAction(value: Json, path: Path, catalogue: Catalogue, diagnostics: Diagnostics): readonly string[] {
  if (typeof value === 'string' && value.includes('.')) return keysNamed([value], catalogue);
  diagnostics.add(path, 'A prior action is named tool.operation, such as database.query.');
  return [];
}

function spellLabel(value: Json, path: Path, diagnostics: Diagnostics): readonly string[] {
  if (typeof value === 'string' && /^[A-Z][A-Z0-9_]{0,39}$/.test(value)) return [value];
  diagnostics.add(path, 'A label is written in capitals, such as PII.');
  return [];
}

function spellConcept(value: Json, path: Path, diagnostics: Diagnostics): readonly string[] {
  const concept = typeof value === 'string' ? value.trim().toLowerCase() : '';
  if (conceptOf(concept)) return [concept];
  diagnostics.add(path, `The lexicon knows no concept ${JSON.stringify(value)}, so no request could ever contain it.`, 'Use a verb it knows, such as delete, cleanup, send, pay or report.');
  return [];
}

function spellProvenance(value: Json, path: Path, diagnostics: Diagnostics): readonly string[] {
  const name = typeof value === 'string' ? value.trim().replaceAll(' ', '_') : '';
  if (provenances.some((source) => source === name)) return [name];
  diagnostics.add(path, `There is no provenance ${JSON.stringify(value)}.`, `Use one of ${provenances.join(', ')}.`);
  return [];
}

