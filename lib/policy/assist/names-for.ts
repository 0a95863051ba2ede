import { lexicon } from '@/lib/context/lexicon';
import { labelLevels } from '@/lib/engine/label-levels';
import { signalNames } from '@/lib/engine/signal-names';
import type { CatalogueEntry } from '@/lib/mediate/catalogue';

import { labelsOf, toolsOf, type KnownNames } from './known-names';
import type { Place } from './place-at';

/** A name that fits a place, with what it is. */
export type Named = { readonly name: string; readonly detail: string };

type Around = Pick<Place, 'path' | 'around'>;

const named = (names: readonly string[], detail: string): readonly Named[] => names.map((name) => ({ name, detail }));

/** Names from catalogue, roster and the language's word lists that fit at a place; what the schema lists is not repeated here. */
export function namesFor({ path, around }: Around, at: Place['at'], names: KnownNames): readonly Named[] {
  const place = placeText(path);
  const within = (pattern: RegExp): boolean => pattern.test(place);
  if (at === 'key' && within(/^rules\[\]\.match\.parameters$/)) return parametersOf(around.at(-2), names);
  if (at === 'key' && within(/^rules\[\]\.context\.attributes$|^information$/)) return named(names.information, 'attribute');
  if (at === 'key' && within(/^rules\[\]\.context\.risk_signals$/)) return named(signalNames, 'signal');
  if (at === 'key' && within(/^rules\[\]\.context\.provenance$/)) return parametersOf(matchBeside(around), names);
  if (within(/\.tool(?:\[\])?$/)) return named(toolsOf(names.catalogue), 'tool');
  if (within(/\.operation(?:\[\])?$/)) return operationsOf(around.at(-1), names);
  if (within(/\.approvers(?:\[\])?$|\.escalate\.to(?:\[\])?$/)) return names.groups.map(({ name, people }) => ({ name, detail: peopleWords(people) }));
  if (within(/\.context\.data_classification\b|\.redact_output\[\]$|^tools\[\]\.labels\[\]\.add\[\]$|\.label$/)) return named(labelsOf(names.catalogue, labelLevels), 'label');
  if (within(/\.context\.prior_actions\b|^tools\[\]\.name$/)) return [...names.catalogue.entries].map(([name, entry]) => ({ name, detail: effectWords(entry) }));
  if (within(/\.context\.user_intent\b/)) return named([...new Set(lexicon.flatMap((concept) => concept.names))], 'intent');
  if (within(/\.target_ownership\.owned_by$/)) return named(['requesting_user'], 'the session’s human');
  if (within(/^rules\[\]\.context_needed\[\]$/)) return [...named(['target_ownership', 'user_intent'], 'field'), ...named(names.information, 'attribute')];
  if (within(/\.match\.identity\.agent\b/)) return named(names.agents, 'agent');
  if (within(/^information\..*\.from\[\]$/)) return [...named(['requester'], 'the session’s human'), ...names.groups.map(({ name, people }) => ({ name: `group:${name}`, detail: peopleWords(people) }))];
  if (within(/^use$/)) {
    const { name, version, digest } = names.catalogue;
    return named([`${name}@${String(version)} sha256:${digest}`], 'the catalogue that is here');
  }
  return [];
}

/** `['rules', 2, 'match']` → `rules[].match`. */
export const placeText = (path: Place['path']): string => path.reduce<string>((text, part) => (typeof part === 'number' ? `${text}[]` : text === '' ? part : `${text}.${part}`), '');

export const effectWords = ({ effect, impact }: CatalogueEntry): string => `${effect}, ${impact} impact`;

const peopleWords = (people: number): string => (people === 1 ? 'one person' : `${String(people)} people`);

type Values = Readonly<Record<string, string>> | undefined;

/** What stands behind a key before the cursor, as names: `[a, b]` and `a` alike. */
const listed = (text: string | undefined): readonly string[] => (text ?? '').split(/[[\],\s"']+/).filter((word) => word !== '');

function entriesOf(match: Values, { catalogue }: KnownNames): readonly CatalogueEntry[] {
  const tools = new Set(listed(match?.['tool']).map((tool) => catalogue.aliases.get(tool) ?? tool));
  const operations = new Set(listed(match?.['operation']));
  const fits = (wanted: ReadonlySet<string>, name: string): boolean => wanted.size === 0 || wanted.has('*') || wanted.has(name);
  return [...catalogue.entries.values()].filter(({ tool, operation }) => fits(tools, tool) && fits(operations, operation));
}

const operationsOf = (match: Values, names: KnownNames): readonly Named[] => {
  const byName = new Map(entriesOf(match && { tool: match['tool'] ?? '' }, names).map((entry) => [entry.operation, entry]));
  return [...byName].map(([name, entry]) => ({ name, detail: effectWords(entry) }));
};

const parametersOf = (match: Values, names: KnownNames): readonly Named[] => {
  const specs = new Map(entriesOf(match, names).flatMap(({ parameters }) => Object.entries(parameters)));
  return [...specs].map(([name, { type, role }]) => ({ name, detail: role === undefined ? type : `${type}, ${role}` }));
};

/** The `match` of the rule that a context belongs to stands in the rule as text. */
function matchBeside(around: Place['around']): Values {
  const text = around.at(-3)?.['match'] ?? '';
  const part = (key: string): string => new RegExp(`\\b${key}:\\s*(\\[[^\\]]*\\]|[\\w.*-]+)`).exec(text)?.[1] ?? '';
  return { tool: part('tool'), operation: part('operation') };
}
