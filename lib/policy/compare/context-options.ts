import { provenances, type Provenance } from '@/lib/context/entry';
import type { InformationSource } from '@/lib/engine/policy';
import { isId, type SessionId } from '@/lib/shared/ids';
import type { Json } from '@/lib/shared/json';

import { asksOf, type Asked } from './asks';
import { numberCandidates, textCandidates, type Candidate } from './candidates';
import type { Draft, Said } from './draft';

/** One way that a dimension can be, and how it comes about. */
export type Option = { readonly words: string; readonly put: (draft: Draft) => void };

/** Each selection of a few things; of many only the small ones and the whole. */
export function selectionsOf<T>(things: readonly T[], together = 6): readonly (readonly T[])[] {
  if (things.length <= together) return Array.from({ length: 1 << things.length }, (_, mask) => things.filter((__, i) => (mask >> i) % 2 === 1));
  return [[], ...things.map((one) => [one]), ...things.flatMap((a, i) => things.slice(i + 1).map((b) => [a, b])), things];
}

const texts = (candidates: readonly Candidate[]): readonly { readonly value: string; readonly words: string }[] =>
  candidates.flatMap(({ value, words }) => (typeof value === 'string' ? [{ value, words }] : []));

export function identityOptions(name: keyof Draft['identity'], asked: Asked): readonly Option[] {
  const values = texts(textCandidates(asksOf(asked)));
  switch (name) {
    case 'scope':
      return selectionsOf(values).map((some) => ({ words: listed(some.map(({ words }) => words), 'none'), put: (draft) => void (draft.identity.scope = some.map(({ value }) => value)) }));
    case 'delegation': {
      const sessions = [...values.map(({ value }) => value), 'ses_zzzzzzzzzzzzzzzzzzzzzz'].filter((value): value is SessionId => isId('session', value));
      return selectionsOf(sessions).map((some) => ({ words: listed(some, 'none'), put: (draft) => void (draft.identity.delegation = some) }));
    }
    case 'session':
      return [...values.map(({ value }) => value), 'ses_0000000000000000000000'].filter((value): value is SessionId => isId('session', value))
        .map((value) => ({ words: value, put: (draft) => void (draft.identity.session = value) }));
    default:
      return values.map(({ value, words }) => ({ words, put: (draft) => void (draft.identity[name] = value) }));
  }
}

const listed = (words: readonly string[], none: string): string => (words.length === 0 ? none : words.join(' and '));

export function labelOptions(tags: readonly string[]): readonly Option[] {
  const levels = [null, 'PUBLIC', 'INTERNAL', 'CONFIDENTIAL', 'RESTRICTED'] as const;
  return selectionsOf(tags).flatMap((some) => levels.map((level) => {
    const labels = [...some, ...(level === null ? [] : [level])].sort();
    return { words: listed(labels, 'no labels'), put: (draft: Draft) => void (draft.labels = labels) };
  }));
}

/** Each concept asked for, in doubt, or not; and no request at all. */
export function intentOptions(concepts: readonly string[]): readonly Option[] {
  let states: readonly { readonly affirmed: readonly string[]; readonly doubtful: readonly string[] }[] = [{ affirmed: [], doubtful: [] }];
  for (const concept of concepts.slice(0, 6)) {
    states = states.flatMap(({ affirmed, doubtful }) => [{ affirmed, doubtful }, { affirmed: [...affirmed, concept], doubtful }, { affirmed, doubtful: [...doubtful, concept] }]);
  }
  return [
    ...states.map((intent) => ({ words: [intent.affirmed.length > 0 && `asks for ${intent.affirmed.join(', ')}`, intent.doubtful.length > 0 && `perhaps asks for ${intent.doubtful.join(', ')}`].filter(Boolean).join(' and ') || 'asks for none of it', put: (draft: Draft) => void (draft.intent = intent) })),
    { words: 'no request is recorded', put: (draft) => void (draft.intent = null) },
  ];
}

export const elapsedOptions = (asked: Asked): readonly Option[] =>
  numberCandidates(asksOf(asked), true).flatMap(({ value, words }) => (typeof value === 'number' && value >= 0 ? [{ words: `${words} s`, put: (draft: Draft) => void (draft.elapsedS = value) }] : []));

export const riskOptions = (signal: string, asked: Asked): readonly Option[] => [
  { words: 'not measured', put: () => undefined },
  { words: 'not known', put: (draft) => void draft.risks.push({ name: signal, score: null }) },
  { words: 'not known, and somebody can say', put: (draft) => void draft.risks.push({ name: signal, score: null, missing: 'user_intent' }) },
  ...numberCandidates(asksOf(asked), true).flatMap(({ value, words }) => (typeof value === 'number' && value >= 0 && value <= 1000 ? [{ words: `${words} ‰`, put: (draft: Draft) => void draft.risks.push({ name: signal, score: 1000 - value }) }] : [])),
];

export function provenanceOptions(path: string): readonly Option[] {
  const places: readonly (readonly Provenance[])[] = selectionsOf(provenances).filter(({ length }) => length > 0);
  return places.map((some) => ({ words: `from ${some.join(' and ')}`, put: (draft) => void draft.provenance.set(path, some) }));
}

/** Who may say it and how old it may be differ between the policies: then every source and age counts. */
export type Sources = readonly (InformationSource | undefined)[];

export function attributeOptions(name: string, about: Said['about'], asked: Asked, sources: Sources, human: boolean): readonly Option[] {
  const said = (words: string, more: Partial<Said>, source: string, ageMs: number): Option => ({
    words, put: (draft) => void draft.said.push({ name, about, values: [], unavailable: false, firstOnly: false, source, ageMs, ...more }),
  });
  const asks = asksOf(asked);
  const values: readonly Candidate[] = [...textCandidates(asks), ...(asks.numbers.size > 0 ? numberCandidates(asks, false) : []), ...[...asks.booleans].map((value) => ({ value, words: String(value) }))];
  const humans: readonly Option[] = human ? waysOf(sources).flatMap(({ source, ageMs, by }) => [false, true].map((firstOnly): Option => ({
    words: `the person themselves${by}${firstOnly ? ', of one of several' : ''}`,
    put: (draft) => void draft.said.push({ name, about, get values() { return [draft.identity.human]; }, unavailable: false, firstOnly, source, ageMs }),
  }))) : [];
  // The person may be “any other” already, as the value may be: then only a third name is certainly another's.
  const others: readonly Option[] = human ? waysOf(sources).flatMap(({ source, ageMs, by }) => [false, true].map((firstOnly) => said(`somebody else${by}${firstOnly ? ', of one of several' : ''}`, { values: ['~somebody-else'], firstOnly }, source, ageMs))) : [];
  const pairs = values.flatMap((a, i): readonly { readonly values: readonly Json[]; readonly words: string }[] => values.slice(i + 1).map((b) => ({ values: [a.value, b.value], words: `${a.words} and ${b.words}` })));
  return [
    { words: 'not known', put: () => undefined },
    ...waysOf(sources).flatMap(({ source, ageMs, by }) => [
      said(`known to be unavailable${by}`, { unavailable: true }, source, ageMs),
      ...values.map(({ value, words }) => said(`${words}${by}`, { values: [value] }, source, ageMs)),
      ...pairs.slice(0, 60).map((pair) => said(`${pair.words}${by}`, { values: pair.values }, source, ageMs)),
      ...values.map(({ value, words }) => said(`${words} of one, not known of others${by}`, { values: [value], firstOnly: true }, source, ageMs)),
    ]),
    ...humans,
    ...others,
  ];
}

/** Sources and ages that the two policies tell apart. */
function waysOf(sources: Sources): readonly { readonly source: string; readonly ageMs: number; readonly by: string }[] {
  const lists = sources.map((one) => one?.from ?? []);
  const all = [...new Set(lists.flat())].sort();
  const common = all.filter((source) => lists.every((list) => list.includes(source)));
  const apart = all.filter((source) => !common.includes(source));
  const ages = [...new Set(sources.map((one) => one?.max_age_s ?? null))];
  const old = ages.length > 1 ? ages.flatMap((age) => (age === null ? [] : [age * 1000 + 1000])) : [];
  const chosen = [...common.slice(0, 1), ...apart];
  return chosen.flatMap((source) => [0, ...old].map((ageMs) => ({ source, ageMs, by: apart.length + old.length > 0 ? `, said by ${source}${ageMs > 0 ? ` ${String(ageMs / 1000)} s ago` : ''}` : '' })));
}
