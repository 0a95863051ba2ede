import type { CanonicalAction } from '@/lib/mediate/action';
import type { ParameterSpec } from '@/lib/mediate/catalogue';
import { isJsonArray, isJsonObject, type Json } from '@/lib/shared/json';

import type { SignalInputs } from './signal-inputs';
import type { SessionState } from './session-state';
import type { ArgumentProvenance, Signal } from './snapshot';

/** What an argument is for: who gets it, what it is done to, which address is fetched or written to, how much, a secret, or what it says. */
type Kind = 'recipient' | 'target' | 'url' | 'amount' | 'secret' | 'content';

const kinds: readonly Kind[] = ['recipient', 'target', 'url', 'amount', 'secret', 'content'];

/**
 * Whose will the arguments are, one signal for each kind of argument that the action has: the worst origin of its values. A value
 * that nobody is known to have said weighs little while the session has read nothing untrusted, since nobody else can have
 * steered it then; afterwards it is worth less than one that an untrusted text brought up.
 */
export function originSignals(state: SessionState, action: CanonicalAction, { provenance }: SignalInputs): readonly (Signal | undefined)[] {
  let said: ArgumentProvenance | undefined;
  let echoed: ArgumentProvenance | undefined;
  const worst = new Map<Kind, { readonly leaf: ArgumentProvenance; readonly score: number }>();
  for (const leaf of provenance) {
    const name = /^[^.[]*/.exec(leaf.path)?.[0] ?? '';
    const kind = kindOf(name, Object.hasOwn(action.entry.parameters, name) ? action.entry.parameters[name] : undefined);
    const value = leafAt(action.parameters, leaf.path);
    if (kind === null || value === null || value === '' || typeof value === 'boolean') continue;
    const score = scoreOf(state, leaf, value);
    // When something is done, and choices such as "r" or "open", do not say what.
    if ((kind === 'content' && (typeof value !== 'string' || value.length < shortestSaying)) || isMoment(String(value))) {
      // But a time that the person said ties the call to their words; a common word such as "open" does not.
      if (score === 1000 && isMoment(String(value))) said ??= leaf;
      continue;
    }
    if (kind === 'content' && leaf.source === 'untrusted_output') echoed ??= leaf;
    if (score === 1000) said ??= leaf;
    const known = worst.get(kind);
    if (!known || score < known.score) worst.set(kind, { leaf, score });
  }
    const silent: Signal | undefined =
    action.facts.effect === 'communicate' && !worst.has('content')
      ? { name: 'content_origin', score: 500, weight: 0, evidence: 'What it says is not among its arguments.' }
      : undefined;
  return [...kinds.map((kind) => signalOf(kind, worst.get(kind))), silent, echo(action, echoed), links(state, action), choice(state, worst.get('target')), tie(state, action, worst.size > 0, said)];
}

function signalOf(kind: Kind, worst: { readonly leaf: ArgumentProvenance; readonly score: number } | undefined): Signal | undefined {
  if (!worst) return undefined;
  const { leaf, score } = worst;
  return { name: `${kind}_origin`, score, weight: 0, evidence: `${leaf.path}: ${originInWords(leaf, score)}.` };
}

function originInWords(leaf: ArgumentProvenance, score: number): string {
  if (leaf.source === 'untrusted_output') return `brought up by an untrusted text${leaf.where === undefined ? '' : ` (${leaf.where})`}`;
  if (leaf.source !== 'nowhere') return 'from the person, the policy or a trusted source';
  if (score === 1000) return 'a short name or number that the request has';
  return score > madeUpAfterReading ? 'nobody said it, and nothing untrusted was read' : 'nobody said it, after untrusted text was read';
}

const madeUpAfterReading = 100;
const shortestSaying = 6;

function scoreOf(state: SessionState, { source }: ArgumentProvenance, value: string | number): number {
  switch (source) {
    case 'request':
    case 'person':
      return 1000;
    case 'trusted_output':
    case 'policy':
      return 900;
    case 'untrusted_output':
      return 150;
    case 'nowhere':
      if (isSaidName(state, value) || isSaidNumber(state, value)) return 1000;
      return state.untrustedOutputs > 0 ? madeUpAfterReading : 600;
  }
}

/** Names of two or three letters are too short to be found by themselves: "Tell Bob" says them all the same. */
function isSaidName(state: SessionState, value: string | number): boolean {
  if (typeof value !== 'string' || !/^\p{Lu}\p{L}{1,2}$/u.test(value)) return false;
  return state.requests.some((text) => text.split(/[^\p{L}]+/u).includes(value));
}

/** "Top up 5 GB" says the 5, whatever the tool calls it. */
const isSaidNumber = (state: SessionState, value: string | number): boolean => /^[0-9]{1,3}$/.test(String(value)) && state.requestAmounts.has(Number(value));

const addressLike = /(?:^|_)(?:url|uri|link|href|website|webpage|web_page|site|endpoint|domain|host|webhook|callback)(?:_|$)/;

function kindOf(name: string, spec: ParameterSpec | undefined): Kind | null {
  if (spec?.sensitive === true) return 'secret';
  switch (spec?.role) {
    case 'recipients':
      return 'recipient';
    case 'url':
      return 'url';
    case 'target':
      // An address without a scheme parses as no URL; what it is for stays the same.
      return addressLike.test(name.replace(/([a-z])([A-Z])/g, '$1_$2').toLowerCase()) ? 'url' : 'target';
    case 'path':
    case 'command':
    case 'query':
      return 'target';
    case 'amount':
      return 'amount';
    case undefined:
      // An argument that the catalogue does not know could be for anything.
      return spec === undefined ? 'target' : 'content';
  }
}

/** The value at a path of provenance, such as `to[0]` or `where.owner`; the path itself where it names more than one value. */
function leafAt(parameters: CanonicalAction['parameters'], path: string): string | number | boolean | null {
  let node: Json = parameters;
  for (const step of path.split(/[.[\]]+/)) {
    if (step === '') continue;
    const next: Json | undefined = isJsonArray(node) ? node[Number(step)] : isJsonObject(node) && Object.hasOwn(node, step) ? node[step] : undefined;
    // A field with a dot in its name, or the note that there were too many values: not to be passed over.
    if (next === undefined) return path;
    node = next;
  }
  return isJsonArray(node) || isJsonObject(node) ? path : node;
}

/** What is said, word for word what an untrusted text says: somebody else may be speaking through the agent. */
const echo = (action: CanonicalAction, leaf: ArgumentProvenance | undefined): Signal | undefined =>
  leaf && action.facts.effect !== 'read' ? { name: 'echo', score: 150, weight: 0, evidence: `${leaf.path} is word for word what an untrusted text says.` } : undefined;

/** Dates and times are when, not what. */
const isMoment = (value: string): boolean => /^(?:[0-9]{4}-[0-9]{2}-[0-9]{2}(?:[t ][0-9:.]+(?:z|[+-][0-9:]+)?)?|[0-9]{1,2}:[0-9]{2}(?::[0-9]{2})?|[0-9]{1,2}[./][0-9]{1,2}[./][0-9]{4})$/i.test(value);

const link = /(?:https?:\/\/|www\.)[^\s"'<>()\]]+|(?<![@\w.-])[a-z0-9-]+(?:\.[a-z0-9-]+)*\.(?:com|net|org|io|dev|app|info|co|biz|xyz|site|online|link|ly|me|ru|cn|de|uk|eu|example|test)(?:\/[^\s"'<>()\]]*)?(?![\w@.-]*@)/gi;

/** Links in what is said that are not in the person's own words: they lead whoever gets them to a place that somebody else chose. */
function links(state: SessionState, action: CanonicalAction): Signal | undefined {
  if (action.facts.effect === 'read') return undefined;
  let said: string | undefined;
  let found = 0;
  for (const [name, value] of Object.entries(action.parameters)) {
    const spec = Object.hasOwn(action.entry.parameters, name) ? action.entry.parameters[name] : undefined;
    if (typeof value !== 'string' || spec?.role !== undefined) continue;
    for (const [text] of value.slice(0, 20_000).matchAll(link)) {
      found++;
      said ??= state.requests.join('\n').toLowerCase();
      if (!said.includes(text.toLowerCase().replace(/[.,;:!?]+$/, ''))) return { name: 'links', score: 150, weight: 0, evidence: `${name} has a link that the person did not write: ${text.slice(0, 80)}.` };
    }
  }
  return found === 0 ? undefined : { name: 'links', score: 1000, weight: 0, evidence: 'The person wrote the links in it.' };
}

/** Whether the request leaves the choice of a thing to the agent, where the thing was not named. */
function choice(state: SessionState, target: { readonly leaf: ArgumentProvenance; readonly score: number } | undefined): Signal | undefined {
  if (!target || target.score >= 500) return undefined;
  const asked = choosing.find((stem) => state.requestWords.has(stem));
  return asked === undefined
    ? { name: 'choice', score: 100, weight: 0, evidence: `The request leaves no choice to the agent, and ${target.leaf.path} was not named.` }
    : { name: 'choice', score: 700, weight: 0, evidence: `The request asks to choose (“${asked}”), and ${target.leaf.path} may be the choice.` };
}

/** Whether anything at all in the call is what the person said. */
function tie(state: SessionState, action: CanonicalAction, hasArguments: boolean, said: ArgumentProvenance | undefined): Signal | undefined {
  if (action.facts.effect === 'read') return undefined;
  if (!hasArguments) return { name: 'tie', score: 400, weight: 0, evidence: 'It has no arguments that the person could have said.' };
  return said
    ? { name: 'tie', score: 1000, weight: 0, evidence: `The person said ${said.path}.` }
    : { name: 'tie', score: state.untrustedOutputs > 0 ? 150 : 600, weight: 0, evidence: 'Nothing in it is what the person said.' };
}

/** Stems, as `nearness.ts` makes them. */
const choosing = ['choos', 'pick', 'selec', 'decid', 'recom', 'sugge', 'best', 'cheap', 'lowes', 'highe', 'top', 'most', 'neare', 'close', 'earli', 'lates', 'faste', 'which', 'large', 'small', 'short'];
