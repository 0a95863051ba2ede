import { wordsOf } from '@/lib/context/asked-for';
import type { Effect } from '@/lib/mediate/catalogue';

import type { JsonObject } from '@/lib/shared/json';

import type { GivenTool } from './given-tool';
import { inferParameter, isReference } from './infer-parameter';
import { baseForm, deedOf, isOftenThing, usualDeed, type Deed } from './verbs';

const strictness: readonly Effect[] = ['read', 'write', 'communicate', 'execute', 'destructive', 'spend', 'grant'];
const stricter = (a: Deed, b: Deed): Deed => (strictness.indexOf(b.effect) > strictness.indexOf(a.effect) ? b : a);

const money = /^(?:money|payments?|transactions?|funds?|crypto|bitcoin|cash|wage|salary|donation|invoice|payout|purchase|subscription|loan|stocks?|shares?|transfers?|orders?|bookings?|reservations?|withdrawals?|deposits?|vouchers?|certificates?|coupons?|credits?|gift)$/;
const access = /^(?:permissions?|roles?|access|acl|admins?|owners?|collaborators?|privileges?|guest|keyholder|visibility|policy|policies)$/;
const people = /^(?:users?|members?|people|person|contacts?|guests?|participants?|attendees|teammate|account)$/;
const groups = /^(?:channels?|groups?|workspace|teams?|org|organization|organisation|slack|server|room|project|repo|repository|list)$/;
const guarded = /^(?:password|passcode|pin|credentials?|token|tokens|key|keys|secret|secrets|2fa|mfa|otp|security|settings?|firewall|alarm|profile|account|billing|recovery|info|information|webhook|rule|rules|config|configuration|dns|hooks?|address|addresses|phone|shipping|contact|card|limit|limits|code|login)$/;
/** Nouns that are only ever looked at. */
const tellsOf = /^(?:history|overview|status|details|info|information|balance|statement|summary|latest|last|recent|current|newest|catalog|catalogue|directory|forecast|weather|news|feed|logs|stats|statistics)$/;
const pages = /^(?:web|webpage|webpages|website|page|pages|url|link|site|browser)$/;
const trials = /^(?:tests?|check|checks|diagnostics?|benchmark|scan|lint|simulation|dry)$/;
const publicWords = /^(?:reviews?|comments?|posts?|replies|reply|messages?|announcements?|tweets?|feedback)$/;
const secrets = /^(?:password|passwords|passcode|credentials?|secret|secrets|token|tokens|otp|2fa|keys|vault)$/;

/**
 * What a tool does, from its name, and where that says nothing, from the first verb of its description. A name that says nothing at all
 * is taken to change something that matters. Only ever towards strictness: the description cannot make a name harmless.
 */
export function inferDeed({ name, description, parameters }: GivenTool): Deed {
  const words = wordsOf(name);
  const named = Object.keys(parameters?.properties ?? {});
  const deed = deedBy(words, description);
  if (deed.effect !== 'write' && deed.effect !== 'communicate') return deed;
  const roles = Object.entries(parameters?.properties ?? {}).map(([parameter, schema]) => inferParameter(parameter, schema, true, 'write').role);
  const paysSomebody = roles.includes('amount') && roles.includes('recipients');
  if (paysSomebody || named.some((parameter) => wordsOf(parameter).some((word) => payment.test(word)))) return usualDeed('spend');
  // Something of its own that is set on what is there already: the new value matters as much as the thing.
  if (deed.effect === 'write' && deed.impact === 'medium' && !words.some((word) => makes.test(word)) && setsSomething(parameters?.properties ?? {})) {
    return { effect: 'write', impact: 'high' };
  }
  // What is written to somebody is sent.
  return deed.effect === 'write' && named.some((parameter) => addressee.test(parameter)) ? raised(usualDeed('communicate'), words) : deed;
}

/** Verbs that make something new, or put something more into what is there. */
const makes = /^(?:create|add|new|make|schedule|plan|draft|save|record|log|register|write|append|insert|put|note|store|upload|copy|generate|bookmark|label|tag|mark|star|sync|import|archive|reschedule)$/;

/** What decides beside the one thing that it is about. */
function setsSomething(properties: Readonly<Record<string, JsonObject>>): boolean {
  const deciding = Object.entries(properties).filter(([parameter, schema]) => /^(?:target|amount)$/.test(inferParameter(parameter, schema, true, 'write').role ?? '')).map(([parameter]) => parameter);
  return deciding.length > 1 || deciding.some((parameter) => !isReference(parameter));
}

const addressee = /^(?:to|to_email|recipients?|receiver|addressee)$/i;

/** A parameter by which something is paid. */
const payment = /^(?:payment|payments|card|iban|wallet)$/;

function deedBy(words: readonly string[], description: string): Deed {
  const said = describedDeed(description) ?? (words.some((word) => tellsOf.test(word)) ? usualDeed('read') : undefined);
  const named = namedDeed(words);
  if (!named) return said ? raised({ effect: said.effect, impact: said.effect === 'read' ? 'medium' : said.impact }, words) : { effect: 'write', impact: 'high' };
  // A name that only reads, with a description that begins with doing harm: believe the worse.
  const deed = named.effect === 'read' && said && (said.effect === 'destructive' || said.effect === 'spend' || said.effect === 'grant') ? said : named;
  return raised(deed, words);
}

function namedDeed(words: readonly string[]): Deed | undefined {
  if (words[0] === 'transfer' && words.some((word) => /^(?:human|agent|agents|representative|support|operator)$/.test(word))) return { effect: 'communicate', impact: 'low' };
  const verbs = words.map((word, at) => ({ word, at, deed: deedOf(word) })).filter((one) => one.deed !== undefined);
  const plain = verbs.find(({ word, at }) => !isOftenThing(word) || (at === 0 && isObject(words[1])));
  const first = plain ?? verbs[0];
  if (!first?.deed) return undefined;
  const joined = verbs.find(({ at }) => at > first.at && (words[at - 1] === 'and' || words[at - 1] === 'or'));
  return joined?.deed ? stricter(first.deed, joined.deed) : first.deed;
}

/** In `post_webpage` the first word does something to the second; in `message_search` the second is what is done. */
const isObject = (next: string | undefined): boolean => next !== undefined && (deedOf(next) === undefined || isOftenThing(next));

function describedDeed(description: string): Deed | undefined {
  const lower = description.toLowerCase();
  const opening = lower.replace(/^\s*(?:(?:an?|the|this)?\s*(?:tool|api|function|method|endpoint|service|utility)\s*(?:for|to|that|which|is used to|allows (?:you|the user|users) to|lets you)?|to|used to|use this (?:tool )?to|allows (?:you|the user|users|agents?) to|can)\s+/, '');
  const [word = ''] = opening.split(/[^a-z]+/).filter((one) => one !== '');
  // "One booking", "Booking details": only after "for" is that form a deed. What a function returns is no purchase taken back.
  if (/^returns?$/.test(word)) return usualDeed('read');
  if (word.endsWith('ing') && !/\bfor\s+[a-z]+ing\b/.test(lower.slice(0, 60))) return undefined;
  return deedOf(baseForm(word));
}

/** What the deed is done to can make it worse: sending money is spending, adding a person to a group is granting, changing a password is no note. */
function raised(deed: Deed, words: readonly string[]): Deed {
  if (deed.effect === 'communicate' && deed.impact === 'low') return deed;
  const about = (pattern: RegExp): boolean => words.some((word) => pattern.test(word));
  if (deed.effect === 'read') return about(secrets) ? { effect: 'read', impact: 'high' } : deed;
  // Tests and checks change nothing that anybody would miss.
  if (deed.effect === 'execute' && about(pages) && words[0] === 'open') return usualDeed('read');
  if (deed.effect === 'execute' && about(trials)) return { effect: 'execute', impact: 'low' };
  if (deed.effect === 'write' && about(publicWords)) return usualDeed('communicate');
  if (deed.effect === 'write' || deed.effect === 'communicate') {
    if (about(money)) return usualDeed('spend');
    if (about(access) || (about(people) && about(groups))) return usualDeed('grant');
    if (deed.effect === 'write' && about(guarded)) return { effect: 'write', impact: 'high' };
  }
  return deed;
}
