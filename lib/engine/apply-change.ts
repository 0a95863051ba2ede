import { parseRecipients } from '@/lib/mediate/parse-recipients';
import { parseUrl } from '@/lib/mediate/parse-url';
import { assertNever } from '@/lib/shared/assert-never';
import { canonicalJson } from '@/lib/shared/canonical-json';
import { isJsonArray, isJsonObject, type Json, type JsonObject } from '@/lib/shared/json';

import { addFilter } from './add-filter';
import { domainOf, isInDomains } from './domains';
import { namesSecret, redactText } from './redact-text';
import type { Modification } from './rule';

/** A place where a change does not fit the action that it meets; the action is then denied. */
export class Misfit {
  constructor(readonly detail: string) {}
}

/**
 * The parameters after one change; the same object when nothing changes. A change that cannot be made (a cap on a text, a
 * redaction of a number, recipients of whom none is left) is a misfit: running the action unchanged would ignore the rule.
 */
export function applyChange(parameters: JsonObject, change: Modification, internalDomains: readonly string[] | null): JsonObject | Misfit {
  const edited = edit(parameters, change.path, (value) => {
    const after = changed(value, change, internalDomains);
    return value !== undefined && after !== undefined && !(after instanceof Misfit) && canonicalJson(value) === canonicalJson(after) ? value : after;
  });
  if (edited instanceof Misfit) return edited;
  return isJsonObject(edited) ? edited : parameters;
}

function changed(value: Json | undefined, change: Modification, internalDomains: readonly string[] | null): Json | undefined | Misfit {
  const at = change.path.join('.');
  switch (change.form) {
    case 'set':
      return change.to;
    case 'drop':
      return undefined;
    case 'cap':
      // What was left out has no bound at all, so the cap becomes the value.
      if (value === undefined) return change.at;
      return typeof value === 'number' ? Math.min(value, change.at) : new Misfit(`${at} is not a number and cannot be capped.`);
    case 'redact':
      return value === undefined ? undefined : redactAll(value, underName(change.path.at(-1) ?? '', value, change.what), at);
    case 'restrict': {
      if (value === undefined) return undefined;
      const domains = change.to.includes('internal') ? [...change.to, ...(internalDomains ?? [])] : change.to;
      const kept: string[] = [];
      for (const part of isJsonArray(value) ? value : [value]) {
        const left = typeof part === 'string' ? restricted(part, domains) : undefined;
        if (left === undefined) return new Misfit(`${at} holds what nobody can tell the domain of.`);
        if (left !== '') kept.push(left);
      }
      if (kept.length === 0) return new Misfit(`Nobody is left in ${at}.`);
      return isJsonArray(value) ? kept : kept[0];
    }
    case 'add_filter':
      return addFilter(value, change.and) ?? new Misfit(`${at} cannot be narrowed safely.`);
    default:
      return assertNever(change);
  }
}

/** What is left of one text: a URL, or recipients as mail programs read them, however many it names. Empty: nothing; undefined: it cannot be read. */
function restricted(text: string, domains: readonly string[]): string | undefined {
  if (text.includes('://')) {
    const url = parseUrl(text);
    return url && (isInDomains(url.host, domains) ? text : '');
  }
  const recipients = parseRecipients(text);
  const kept = recipients?.filter((address) => isInDomains(domainOf(address), domains));
  return kept && (kept.length === recipients?.length ? text : kept.join(', '));
}

function redactAll(value: Json, what: Kinds, at: string): Json | Misfit {
  if (typeof value === 'string') return redactText(value, what);
  if (value === null) return value;
  if (isJsonArray(value)) {
    const copy: Json[] = [];
    for (const part of value) {
      const redacted = redactAll(part, what, at);
      if (redacted instanceof Misfit) return redacted;
      copy.push(redacted);
    }
    return copy;
  }
  if (isJsonObject(value)) {
    const copy: Record<string, Json> = {};
    for (const [name, part] of Object.entries(value)) {
      const redacted = redactAll(part, underName(name, part, what), at);
      if (redacted instanceof Misfit) return redacted;
      copy[name] = redacted;
    }
    return copy;
  }
  // A number or a flag has no text to redact; only "replace it all" cannot be met.
  return what.includes('ALL') ? new Misfit(`${at} is not a text and cannot be redacted.`) : value;
}

type Kinds = Extract<Modification, { form: 'redact' }>['what'];

/** `{"token": "x"}` is a secret by its name: the value alone looks like any word. */
function underName(name: string, value: Json, what: Kinds): Kinds {
  const isText = (isJsonArray(value) ? value : [value]).every((part) => typeof part === 'string');
  return isText && what.includes('SECRET') && namesSecret(name) ? ['ALL'] : what;
}

function edit(value: Json | undefined, path: readonly string[], change: (value: Json | undefined) => Json | undefined | Misfit): Json | undefined | Misfit {
  const [name, ...rest] = path;
  if (name === undefined) return change(value);
  if (isJsonArray(value)) {
    const place = Number(name);
    if (!Number.isSafeInteger(place) || place < 0 || place >= value.length) return new Misfit(`There is no ${name} in the list.`);
    const part = edit(value[place], rest, change);
    if (part instanceof Misfit) return part;
    return part === undefined ? value.filter((_, i) => i !== place) : value.map((other, i) => (i === place ? part : other));
  }
  if (value !== undefined && !isJsonObject(value)) return new Misfit(`${name} is not inside an object.`);
  const old = value && Object.hasOwn(value, name) ? value[name] : undefined;
  const part = edit(old, rest, change);
  if (part instanceof Misfit) return part;
  if (part === old || (part === undefined && old === undefined)) return value;
  const kept = Object.entries(value ?? {}).filter(([other]) => other !== name);
  return Object.fromEntries(part === undefined ? kept : [...kept, [name, part]]);
}
