import { levelOf } from '@/lib/engine/label-levels';

import { argumentChoice } from './argument-choice';
import { askedOf, wordsOf } from './asked-of';
import { asksOf } from './asks';
import { attributeOptions, elapsedOptions, identityOptions, intentOptions, labelOptions, provenanceOptions, riskOptions, type Option } from './context-options';
import { dimensionKey, stepsOf, type Dimension } from './dimensions';
import { historyChoice } from './history-choice';
import { leavesOn, type Choice, type Held, type Place } from './place';
import { notePattern, patternDoubts, signatureOf, type Sign } from './signature';
import { subjectOptions } from './subject-options';
import { timeOptions } from './time-options';

/** What a dimension can be, one of each class. */
export function optionsFor(dimension: Dimension, place: Place): Choice {
  const key = dimensionKey(dimension);
  const leaves = leavesOn(key, place.active);
  const signature = signatureOf(key, leaves, place);
  if (dimension.of === 'parameter') return argumentChoice(dimension.name, leaves, place, signature);
  if (dimension.of === 'history') return historyChoice(leaves, place, signature);
  const raw = rawOptions(dimension, leaves, place);
  const { kept, patterns } = firstOfEach(raw, signature, place);
  return { options: kept, doubts: patternDoubts(leaves, patterns) };
}

function firstOfEach(raw: readonly Option[], sign: Sign, { make, chosen }: Place): { readonly kept: readonly Option[]; readonly patterns: ReadonlyMap<string, ReadonlySet<string>> } {
  const kept = new Map<string, Option>();
  const patterns = new Map<string, Set<string>>();
  for (const option of raw) {
    const { rest, patterns: met } = sign(make([...chosen.values(), option]));
    notePattern(patterns, rest, met);
    const key = `${rest} ${met}`;
    if (!kept.has(key)) kept.set(key, option);
  }
  return { kept: [...kept.values()], patterns };
}

type ContextDimension = Exclude<Dimension, { of: 'parameter' }>;

function rawOptions(dimension: ContextDimension, leaves: readonly Held[], place: Place): readonly Option[] {
  switch (dimension.of) {
    case 'identity': {
      const asked = askedOf([{ of: 'identity', name: dimension.name }], leaves, place);
      const owners = dimension.name === 'human' ? asksOf({ ...askedOf([{ of: 'owner' }], place.active.flatMap(({ leaves: all, side }) => all.map(({ leaf }) => ({ leaf, side }))), place), linked: [] }).constants : [];
      return identityOptions(dimension.name, { ...asked, linked: [...asked.linked, ...owners] });
    }
    case 'attribute': {
      const asked = askedOf([{ of: 'attribute', name: dimension.name, about: dimension.about }], leaves, place);
      const human = leaves.some(({ leaf }) => (leaf.is === 'test' && leaf.test.op === 'owned_by') || leaf.is === 'compare');
      return attributeOptions(dimension.name, dimension.about, asked, sourcesOf(dimension.name, place), human);
    }
    case 'history':
      return [];
    case 'subject':
      return subjectOptions(dimension.about, place.entry, place.taken);
    case 'provenance':
      return provenanceOptions(dimension.path);
    case 'risk':
      return riskOptions(dimension.signal, askedOf([{ of: 'risk', signal: dimension.signal }], leaves, place));
    case 'labels':
      return labelOptions(labelsIn(leaves));
    case 'intent':
      return intentOptions([...new Set(leaves.flatMap(({ leaf }) => (leaf.is === 'test' ? wordsOf(leaf.test) : [])))]);
    case 'elapsed':
      return elapsedOptions(askedOf([{ of: 'elapsed' }], leaves, place));
    case 'time':
      return timeOptions(leaves.flatMap(({ leaf }) => (leaf.is === 'test' && leaf.field.of === 'time' && leaf.test.op === 'in_window' ? [{ zone: leaf.field.zone, windows: leaf.test.windows }] : [])));
  }
}

function sourcesOf(name: string, { make }: Place): Parameters<typeof attributeOptions>[3] {
  const { base, next } = make([]);
  return [base, next].flatMap((situation) => (situation ? [situation.policy.information.get(name)] : []));
}

/** Tags that rules ask for; a level is a dimension of its own. */
function labelsIn(leaves: readonly Held[]): readonly string[] {
  const found = leaves.flatMap(({ leaf }) => (leaf.is === 'test' && leaf.field.of === 'labels' ? wordsOf(leaf.test) : stepsOf(leaf).flatMap(({ label }) => label ?? [])));
  return [...new Set(found)].filter((label) => levelOf(label) < 0);
}
