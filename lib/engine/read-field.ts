import { assertNever } from '@/lib/shared/assert-never';
import type { Json } from '@/lib/shared/json';

import { countActions } from './count-actions';
import { localTime } from './local-time';
import type { Field, IdentityName } from './predicate';
import { opaqueRecipients, readAttribute } from './read-attribute';
import { readWithLinks } from './read-links';
import { readProvenance } from './read-provenance';
import { readRisk } from './read-risk';
import { absent, one, several, unknown, type Reading } from './reading';
import type { Situation } from './situation';
import { sumAmounts } from './sum-amounts';

/** Reads one field. Pure and bounded by the size of action and snapshot. */
export function readField(situation: Situation, field: Field): Reading {
  const { snapshot } = situation;
  switch (field.of) {
    case 'parameter':
      return readWithLinks(situation, field.path);
    case 'identity':
      return readIdentity(situation, field.name);
    case 'operation':
      return readOperation(situation, field.name);
    case 'recipient':
      return readRecipients(situation);
    case 'owner':
      return readAttribute(situation, 'owner', 'target_ownership');
    case 'attribute':
      return readAttribute(situation, field.name, fieldName(field), field.about);
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
    case 'time': {
      const time = localTime(field.zone, situation.nowMs);
      return one(`${time.date} ${clock(time.minute)} ${field.zone.name}`);
    }
    case 'risk':
      return readRisk(situation, field.signal);
    case 'count':
      return field.sums === 'amounts' ? sumAmounts(situation, field) : countActions(situation, field);
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
      return field.about === 'recipients' ? `recipient.attributes.${field.name}` : `attributes.${field.name}`;
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
    case 'time':
      return 'time_window';
    case 'risk':
      return `risk_signals.${field.signal}`;
    case 'count':
      return field.name;
    default:
      return assertNever(field);
  }
}

const clock = (minute: number): string => [Math.floor(minute / 60), minute % 60].map((part) => String(part).padStart(2, '0')).join(':');

function readIdentity({ snapshot: { identity } }: Situation, name: IdentityName): Reading {
  return name === 'scope' || name === 'delegation' ? several(identity[name]) : one(identity[name]);
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
function readRecipients(situation: Situation): Reading {
  const { facts } = situation.action;
  const opaque = opaqueRecipients(situation);
  if (opaque !== undefined) return unknown(`parameters.${opaque}`, { opaque: true }, facts.recipients);
  return several(facts.recipients.map((address): Json => address));
}
