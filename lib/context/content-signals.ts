import type { CanonicalAction } from '@/lib/mediate/action';
import { looksLike } from '@/lib/mediate/look-alike';

import { wantedFor, wordsOf } from './asked-for';
import type { Provenance } from './entry';
import { conceptOf, deedNamed, type Concept } from './lexicon';
import type { SignalInputs } from './signal-inputs';
import { nearnessOf, stemsOf } from './nearness';
import { semanticDistance } from './semantic-distance';
import type { SessionState } from './session-state';
import type { ArgumentProvenance, Signal } from './snapshot';

/** Signals about what the action says: verb, object, where values came from, whose it is, who gets it, how near it is. */
export function contentSignals(state: SessionState, action: CanonicalAction, inputs: SignalInputs): readonly (Signal | undefined)[] {
  return [
    verbAlignment(state, action, inputs),
    objectAlignment(state, action),
    provenance(action, inputs),
    ownership(action, inputs),
    recipient(action, inputs),
    semanticDistance(state, action, inputs.embedding),
  ];
}

function verbAlignment(state: SessionState, action: CanonicalAction, { intent }: SignalInputs): Signal {
  const name = 'verb_alignment';
  const weight = 250;
  if (!intent) return { name, score: null, weight, evidence: 'No request is recorded.', missing: 'user_intent' };
  const { effect } = action.facts;
  const { own, concepts } = wantedFor(action.operation, effect);
  const by = (standing: ReturnType<typeof state.intent.standingOf>) => concepts.find((concept) => state.intent.standingOf(concept) === standing);
  const asked = by('asked');
  // The nearest come first: without a verb of its own any word for the effect is as near as can be.
  const isNear = own !== null && asked !== concepts[0];
  if (asked) return { name, score: isNear && effect !== 'read' ? 800 : 1000, weight, evidence: `The request asks for “${word(asked)}”${isNear ? `, which is near “${own}”` : ''}.` };
  // Reading is how anything else gets done; changing something nobody asked to change is not.
  if (effect === 'read') return { name, score: 750, weight, evidence: 'Reading serves whatever was asked.' };
  const wished = wishFor(state, action.operation, 'asked');
  if (wished !== undefined) return { name, score: 800, weight, evidence: `The request asks for a “${wished}”.` };
  const conditional = by('conditional');
  if (conditional) return { name, score: 600, weight, evidence: `The request asks for “${word(conditional)}” under a condition, or as a question.` };
  const wishedPerhaps = wishFor(state, action.operation, 'conditional');
  if (wishedPerhaps !== undefined) return { name, score: 600, weight, evidence: `The request asks for a “${wishedPerhaps}” under a condition, or as a question.` };
  const contradicted = by('contradicted');
  if (contradicted) return { name, score: 300, weight, evidence: `Whether the request asks for “${word(contradicted)}” is in doubt.` };
  return { name, score: 100, weight, evidence: `Nothing in the request asks for “${own ?? effect}”.` };
}

/** "I need a taxi" asks for `order_taxi`: a wish, and the thing that the operation is about. */
function wishFor({ intent, requestWords }: SessionState, operation: string, standing: 'asked' | 'conditional'): string | undefined {
  const wish = conceptOf('want');
  if (!wish || intent.standingOf(wish) !== standing) return undefined;
  return wordsOf(operation).find((one) => deedNamed(one) === undefined && [...stemsOf(one)].some((stem) => requestWords.has(stem) || requestWords.has(`${stem}s`)));
}

const word = ({ names }: Concept): string => names[0] ?? '';

function objectAlignment(state: SessionState, action: CanonicalAction): Signal | undefined {
  const { facts } = action;
  const objects = [facts.target ?? '', ...facts.recipients, ...facts.tables, ...facts.paths, ...facts.urls.map((url) => url.host)].filter((one) => one !== '');
  if (objects.length === 0) return undefined;
  const name = 'object_alignment';
  const weight = 150;
  const own = objects.map((one) => one.replace(`${action.tool}:`, ''));
  const near = nearnessOf(state.requestWords, own);
  if (near === null) return { name, score: null, weight, evidence: 'There is no request to compare with.', missing: 'user_intent' };
  return { name, score: near, weight, evidence: `${String(Math.floor(near / 10))} % of the words of ${own.slice(0, 3).join(', ')} are in the request.` };
}

const inWords: Readonly<Record<Provenance, string>> = {
  request: 'the request', person: 'a person', trusted_output: 'a trusted output', policy: 'the policy',
  untrusted_output: 'an untrusted output', nowhere: 'nowhere',
};

const trust: Readonly<Record<Provenance, number>> = { request: 1000, person: 1000, trusted_output: 900, policy: 900, untrusted_output: 150, nowhere: 100 };

function provenance(action: CanonicalAction, { provenance: leaves }: SignalInputs): Signal | undefined {
  const steering = leaves.filter((leaf) => {
    const name = /^[^.[]*/.exec(leaf.path)?.[0] ?? '';
    const spec = Object.hasOwn(action.entry.parameters, name) ? action.entry.parameters[name] : undefined;
    return spec?.role !== undefined;
  });
  const worst = (steering.length > 0 ? steering : leaves).reduce<ArgumentProvenance | undefined>(
    (so, leaf) => (!so || trust[leaf.source] < trust[so.source] ? leaf : so),
    undefined,
  );
  if (!worst) return undefined;
  const from = worst.where === undefined || worst.where === worst.source ? inWords[worst.source] : `${inWords[worst.source]} (${worst.where})`;
  return { name: 'provenance', score: trust[worst.source], weight: 200, evidence: `${worst.path} comes from ${from}.` };
}

function ownership(action: CanonicalAction, { attributes, human }: SignalInputs): Signal | undefined {
  const { target } = action.facts;
  if (target === undefined || action.facts.effect === 'read' || action.facts.effect === 'communicate' || action.facts.effect === 'spend') return undefined;
  const said = attributes.filter((fact) => fact.name === 'owner' && fact.subject === target);
  const name = 'ownership';
  const weight = 200;
  if (said.length === 0 || said.every((fact) => fact.unavailable)) {
    return { name, score: null, weight, evidence: `Nobody said who owns ${target}.`, ...(said.length === 0 ? { missing: 'target_ownership' } : {}) };
  }
  const own = said.every((fact) => !fact.unavailable && fact.value === human);
  return { name, score: own ? 1000 : 0, weight, evidence: `${target} is owned by ${said.map((fact) => JSON.stringify(fact.value)).join(', ')}.` };
}

function recipient(action: CanonicalAction, { internalDomains, provenance: leaves }: SignalInputs): Signal | undefined {
  const { recipients } = action.facts;
  if (recipients.length === 0) return undefined;
  const name = 'recipient';
  const weight = 150;
  const outside = recipients.filter((address) => address.includes('@') && !isInternal(address, internalDomains ?? []));
  const imitated = outside.find((address) => (internalDomains ?? []).some((domain) => looksLike(domainOf(address), domain)));
  if (imitated !== undefined) return { name, score: 0, weight, evidence: `${imitated} imitates an own domain.` };
  const stated = leaves.some((leaf) => isRecipientPath(action, leaf.path)) && leaves.every((leaf) => !isRecipientPath(action, leaf.path) || leaf.source === 'request' || leaf.source === 'person');
  if (stated) return { name, score: 900, weight, evidence: 'The person named every recipient.' };
  if (!internalDomains) return { name, score: null, weight, evidence: 'Nobody said which domains are internal.', missing: 'recipient.external' };
  if (outside.length > 0) return { name, score: 200, weight, evidence: `${outside.slice(0, 3).join(', ')} is outside.` };
  return { name, score: 1000, weight, evidence: 'Every recipient is internal.' };
}

function isRecipientPath(action: CanonicalAction, path: string): boolean {
  const name = /^[^.[]*/.exec(path)?.[0] ?? '';
  return Object.hasOwn(action.entry.parameters, name) && action.entry.parameters[name]?.role === 'recipients';
}

const domainOf = (address: string): string => address.slice(address.lastIndexOf('@') + 1);

const isInternal = (address: string, domains: readonly string[]): boolean =>
  domains.some((domain) => domainOf(address) === domain || domainOf(address).endsWith(`.${domain}`));
