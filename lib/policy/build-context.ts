import type { Field, Predicate } from '@/lib/engine/predicate';
import { signalNames } from '@/lib/engine/signal-names';
import type { Catalogue } from '@/lib/mediate/catalogue';
import { nearestNames } from '@/lib/mediate/nearest-names';
import { isJsonObject, type Json, type JsonObject } from '@/lib/shared/json';

import { buildCondition } from './build-condition';
import { buildCount, buildSequence } from './build-steps';
import { buildTimeWindow } from './build-time-window';
import type { Diagnostics, Path } from './diagnostics';
import { spellingOf } from './spell-value';

/** What the context part of a rule may read. */
export const contextPredicates = [
  'prior_actions', 'data_classification', 'user_intent', 'target_ownership', 'recipient', 'provenance', 'volume', 'count', 'velocity',
  'elapsed', 'sequence', 'time_window', 'risk_signals', 'attributes',
] as const;

type Builder = { readonly catalogue: Catalogue; readonly diagnostics: Diagnostics };

const never: Predicate = { is: 'any', of: [] };

/** The context part of a rule: every predicate must hold. */
export function buildContext(context: JsonObject, path: Path, catalogue: Catalogue, diagnostics: Diagnostics): Extract<Predicate, { is: 'all' | 'any' }> {
  return { is: 'all', of: Object.entries(context).map(([name, raw]) => buildOne(name, raw, [...path, name], { catalogue, diagnostics })) };
}

function buildOne(given: string, raw: Json, path: Path, to: Builder): Predicate {
  const name = contextPredicates.find((known) => known === given);
  switch (name) {
    case 'prior_actions':
      return condition({ of: 'prior' }, raw, path, to);
    case 'data_classification':
      return condition({ of: 'labels' }, raw, path, to);
    case 'user_intent':
      return condition({ of: 'intent' }, raw, path, to);
    case 'target_ownership':
      return condition({ of: 'owner' }, raw, path, to);
    case 'recipient':
      return buildRecipient(raw, path, to);
    case 'elapsed':
      return condition({ of: 'elapsed' }, raw, path, to);
    case 'provenance':
      return buildEach(raw, path, to, (argument) => ({ of: 'provenance', path: argument.replace(/^parameters\./, '') }));
    case 'attributes':
      return buildEach(raw, path, to, (attribute) => ({ of: 'attribute', name: attribute, about: 'target' }));
    case 'risk_signals':
      return buildRisk(raw, path, to);
    case 'time_window':
      return buildTimeWindow(raw, path, to.diagnostics);
    case 'count':
    case 'volume':
    case 'velocity':
      return buildCount(name, raw, path, to.catalogue, to.diagnostics);
    case 'sequence':
      return buildSequence(raw, path, to.catalogue, to.diagnostics);
    case undefined: {
      const [near] = nearestNames(given, contextPredicates);
      to.diagnostics.add(path, `There is no context predicate ${JSON.stringify(given)}.`, near === undefined ? `Use one of ${contextPredicates.join(', ')}.` : `Did you mean ${near}?`);
      return never;
    }
  }
}

const condition = (field: Field, raw: Json, path: Path, { catalogue, diagnostics }: Builder): Predicate =>
  buildCondition(field, raw, path, diagnostics, spellingOf(field, catalogue, diagnostics));

function buildEach(raw: Json, path: Path, to: Builder, field: (name: string) => Field): Predicate {
  if (!isJsonObject(raw) || Object.keys(raw).length === 0) {
    to.diagnostics.add(path, 'Wanted names, each with a condition.', 'Write it like { name: { in: [x, y] } }.');
    return never;
  }
  return { is: 'all', of: Object.entries(raw).map(([name, part]) => condition(field(name), part, [...path, name], to)) };
}

/** Conditions on the addresses, and under `attributes` on what is known of each of them. */
function buildRecipient(raw: Json, path: Path, to: Builder): Predicate {
  if (!isJsonObject(raw) || raw.attributes === undefined) return condition({ of: 'recipient' }, raw, path, to);
  const { attributes, ...addresses } = raw;
  const known = buildEach(attributes, [...path, 'attributes'], to, (attribute) => ({ of: 'attribute', name: attribute, about: 'recipients' }));
  return Object.keys(addresses).length === 0 ? known : { is: 'all', of: [condition({ of: 'recipient' }, addresses, path, to), known] };
}

function buildRisk(raw: Json, path: Path, to: Builder): Predicate {
  for (const name of isJsonObject(raw) ? Object.keys(raw) : []) {
    if (signalNames.some((known) => known === name)) continue;
    const [near] = nearestNames(name, signalNames);
    to.diagnostics.add([...path, name], `There is no signal ${JSON.stringify(name)}.`, near === undefined ? `Use one of ${signalNames.join(', ')}.` : `Did you mean ${near}?`);
  }
  return buildEach(raw, path, to, (signal) => ({ of: 'risk', signal }));
}
