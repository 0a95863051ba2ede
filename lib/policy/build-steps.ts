import type { Predicate, Step } from '@/lib/engine/predicate';
import { effects, type Catalogue } from '@/lib/mediate/catalogue';
import { isJsonArray, isJsonObject, type Json, type JsonObject } from '@/lib/shared/json';

import { buildCondition, operators } from './build-condition';
import type { Diagnostics, Path } from './diagnostics';
import { parseDuration } from './parse-duration';
import { matchingKeys } from './policy-names';
import { spellLabel } from './spell-value';

const never: Predicate = { is: 'any', of: [] };
const stepKeys = ['tool', 'operation', 'effect', 'label'];

/** `count`, `volume` and `velocity`: which actions, a comparison, and the time that they are counted over. */
export function buildCount(name: 'count' | 'volume' | 'velocity', raw: Json, path: Path, catalogue: Catalogue, diagnostics: Diagnostics): Predicate {
  if (!isJsonObject(raw)) {
    diagnostics.add(path, 'Wanted a number to compare with.', `Write it like ${name}: { gt: 5, within: 10m }.`);
    return never;
  }
  const isComparison = (key: string): boolean => key !== 'within' && operators.some((operator) => operator === key);
  const comparisons = Object.fromEntries(Object.entries(raw).filter(([key]) => isComparison(key)));
  const which = buildStep(Object.fromEntries(Object.entries(raw).filter(([key]) => !isComparison(key) && key !== 'within' && key !== 'of')), path, catalogue, diagnostics);
  const within_s = buildWithin(raw, path, diagnostics);
  if (name === 'velocity' && !Object.hasOwn(raw, 'within')) diagnostics.add(path, 'A velocity needs the time that it is measured over.', 'Add within: 1m.');
  return buildCondition({ of: 'count', name, which, within_s, sums: sumsOf(name, raw, path, diagnostics) }, comparisons, path, diagnostics);
}

function sumsOf(name: string, { of }: JsonObject, path: Path, diagnostics: Diagnostics): 'actions' | 'amounts' {
  if (of === undefined || of === 'actions') return 'actions';
  if (of === 'amounts' && name !== 'count') return 'amounts';
  diagnostics.add([...path, 'of'], `A ${name} is not of ${JSON.stringify(of)}.`, name === 'count' ? 'A count is of actions; write volume: { of: amounts, … }.' : 'Write of: amounts, or leave it out.');
  return 'actions';
}

/** Earlier actions in that order, then this one. */
export function buildSequence(raw: Json, path: Path, catalogue: Catalogue, diagnostics: Diagnostics): Predicate {
  const steps = isJsonObject(raw) && isJsonArray(raw.steps) ? raw.steps : [];
  if (!isJsonObject(raw) || steps.length < 2 || steps.length > 10) {
    diagnostics.add(path, 'A sequence needs two to ten steps; the last one is the action itself.', 'Write it like { steps: [{ tool: database, label: PII }, { effect: communicate }], within: 1h }.');
    return never;
  }
  for (const key of Object.keys(raw)) if (key !== 'steps' && key !== 'within') diagnostics.add([...path, key], `There is no key ${JSON.stringify(key)} here.`, 'A sequence has steps and within.');
  const built = steps.map((step, i) => {
    const at = [...path, 'steps', i];
    if (!isJsonObject(step) || Object.keys(step).length === 0) diagnostics.add(at, 'A step says which actions it means.', `It has ${stepKeys.join(', ')}.`);
    return buildStep(isJsonObject(step) ? step : {}, at, catalogue, diagnostics);
  });
  const last = built.at(-1);
  return last ? { is: 'sequence', before: built.slice(0, -1), last, within_s: buildWithin(raw, path, diagnostics) } : never;
}

function buildWithin(raw: JsonObject, path: Path, diagnostics: Diagnostics): number | null {
  if (!Object.hasOwn(raw, 'within')) return null;
  const seconds = typeof raw.within === 'string' ? parseDuration(raw.within) : undefined;
  if (seconds === undefined) diagnostics.add([...path, 'within'], 'This is no time, or one over 30 days.', 'Write it like 90s, 10m, 1h30m or 2d.');
  return seconds ?? null;
}

function buildStep(raw: JsonObject, path: Path, catalogue: Catalogue, diagnostics: Diagnostics): Step {
  for (const key of Object.keys(raw)) {
    if (!stepKeys.includes(key)) diagnostics.add([...path, key], `There is no key ${JSON.stringify(key)} here.`, `Which actions are meant is said by ${stepKeys.join(', ')}.`);
  }
  const texts = (key: string): readonly string[] | null => {
    const value = raw[key];
    if (value === undefined) return null;
    const list = isJsonArray(value) ? value : [value];
    const names = list.filter((part) => typeof part === 'string');
    if (list.length === 0 || names.length < list.length) diagnostics.add([...path, key], 'Wanted a name or a list of names.', `Write it like ${key}: [a, b].`);
    return names;
  };
  const tools = texts('tool')?.map((tool) => catalogue.aliases.get(tool) ?? tool) ?? null;
  const operations = texts('operation');
  const wantedEffects = texts('effect');
  for (const effect of wantedEffects ?? []) if (!effects.some((one) => one === effect)) diagnostics.add([...path, 'effect'], `There is no effect ${effect}.`, `Use one of ${effects.join(', ')}.`);
  const [label] = raw.label === undefined ? [] : spellLabel(raw.label, [...path, 'label'], diagnostics);
  return {
    keys: tools || operations ? matchingKeys(tools, operations, catalogue) : null,
    effects: wantedEffects ? effects.filter((effect) => wantedEffects.includes(effect)) : null,
    label: label ?? null,
  };
}
