import { assertNever } from '@/lib/shared/assert-never';
import type { Json } from '@/lib/shared/json';

import { countActions } from './count-actions';
import type { Field } from './predicate';
import { readAttribute } from './read-attribute';
import { readParameter } from './read-parameter';
import { readProvenance } from './read-provenance';
import { absent, one, several, unknown, type Reading } from './reading';
import type { Situation } from './situation';

/** Reads one field. Pure and bounded by the size of action and snapshot. */
export function readField(situation: Situation, field: Field): Reading {
  const { action, snapshot } = situation;
  switch (field.of) {
    case 'parameter':
      return readParameter(action, field.path);
    case 'identity':
      return field.name === 'scope' ? several(snapshot.identity.scope) : one(snapshot.identity[field.name]);
    case 'operation':
      return readOperation(situation, field.name);
    case 'recipient':
      return readRecipients(situation);
    case 'owner':
      return readAttribute(situation, 'owner', 'target_ownership');
    case 'attribute':
      return readAttribute(situation, field.name, `attributes.${field.name}`);
    case 'provenance':
      return readProvenance(situation, field.path);
    case 'labels':
      return { state: 'known', values: snapshot.labels, set: true };
    case 'intent':
      return snapshot.intent ? { state: 'known', values: snapshot.intent.affirmed, set: true } : unknown('user_intent');
    case 'prior':
      return { state: 'known', values: Object.keys(snapshot.prior.counts), set: true };
    case 'elapsed':
      return one(Math.floor((situation.nowMs - Date.parse(snapshot.session.opened_at)) / 1000));
    case 'count':
      return countActions(situation, field);
    default:
      return assertNever(field);
  }
}

/** The name that people see for a field, in traces and in what is missing. */
export function fieldName(field: Field): string {
  switch (field.of) {
    case 'parameter':
      return `parameters.${field.path.join('.')}`;
    case 'identity':
      return `identity.${field.name}`;
    case 'operation':
      return field.name;
    case 'recipient':
      return 'recipient';
    case 'owner':
      return 'target_ownership';
    case 'attribute':
      return `attributes.${field.name}`;
    case 'provenance':
      return `provenance.${field.path}`;
    case 'labels':
      return 'data_classification';
    case 'intent':
      return 'user_intent';
    case 'prior':
      return 'prior_actions';
    case 'elapsed':
      return 'elapsed';
    case 'count':
      return field.name;
    default:
      return assertNever(field);
  }
}

function readOperation({ action }: Situation, name: Extract<Field, { of: 'operation' }>['name']): Reading {
  switch (name) {
    case 'tool':
      return one(action.tool);
    case 'operation':
      return one(action.operation);
    case 'effect':
      return several(action.facts.effects);
    case 'impact':
      return one(action.facts.impact);
    case 'target':
      return action.facts.target === undefined ? absent : one(action.facts.target);
    default:
      return assertNever(name);
  }
}

/** Every recipient of the action. One that could not be parsed makes all of them unknown: who else gets it, nobody can say. */
function readRecipients({ action }: Situation): Reading {
  const { entry, facts } = action;
  const opaque = facts.opaque.find((name) => Object.hasOwn(entry.parameters, name) && entry.parameters[name]?.role === 'recipients');
  if (opaque !== undefined) return unknown(`parameters.${opaque}`, { opaque: true }, facts.recipients);
  return several(facts.recipients.map((address): Json => address));
}
