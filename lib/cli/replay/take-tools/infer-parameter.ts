import { wordsOf } from '@/lib/context/asked-for';
import type { Effect, ParameterRole, ParameterSpec, ParameterType } from '@/lib/mediate/catalogue';
import { isJsonArray, isJsonObject, type Json, type JsonObject } from '@/lib/shared/json';

const types: readonly ParameterType[] = ['string', 'number', 'integer', 'boolean', 'object', 'array'];

/** One parameter of a tool, from its name, its JSON Schema and what the tool does. */
export function inferParameter(name: string, schema: JsonObject, required: boolean, effect: Effect): ParameterSpec {
  const { type, items, nullable } = typeOf(schema);
  const role = roleOf(name, schema, type === 'array' ? (items ?? 'any') : type, effect);
  return {
    type,
    ...(type === 'array' && items !== null ? { items } : {}),
    ...(type === 'array' && items === 'string' ? { scalar_or_array: true } : {}),
    // What is optional is often recorded as null.
    ...(required ? {} : { optional: true }),
    ...(nullable || !required ? { nullable: true } : {}),
    ...(role === null ? {} : { role }),
    ...(isSecret(name) ? { sensitive: true } : {}),
  };
}

function typeOf(schema: JsonObject): { readonly type: ParameterType; readonly items: ParameterType | null; readonly nullable: boolean } {
  const ways = [schema, ...alternatives(schema.anyOf), ...alternatives(schema.oneOf)];
  const named = ways.flatMap((way): readonly (Json | undefined)[] => (way.type !== undefined && isJsonArray(way.type) ? way.type : [way.type])).filter((one) => typeof one === 'string');
  const nullable = named.includes('null') || schema.default === null || schema.nullable === true;
  const known = [...new Set(named.filter((one) => one !== 'null').map((one) => types.find((type) => type === one) ?? 'any'))];
  // A whole number may be recorded as 3.0, and a number as a whole one.
  const [only] = known;
  const type: ParameterType = only === undefined || known.length > 1 ? (schema.enum !== undefined && known.length === 0 ? 'string' : 'any') : only === 'integer' ? 'number' : only;
  const list = ways.find((way) => isJsonObject(way.items));
  return { type, items: type === 'array' ? (list && isJsonObject(list.items) ? typeOf(list.items).type : 'any') : null, nullable };
}

const alternatives = (value: Json | undefined): readonly JsonObject[] => (value !== undefined && isJsonArray(value) ? value.filter(isJsonObject) : []);

const words = {
  recipient: /^(?:recipients?|to|cc|bcc|emails?|participants?|attendees|invitees?|guests?|users?|usernames?|members?|channels?|phone|payee|beneficiary|iban|receiver|contacts?|assignees?|collaborators?|friends?|person|audience|group|groups|followers?|recipient_id|account|destination|target_user|customer_email|addressee|mentions?)$/,
  amount: /^(?:amount|price|sum|total|cost|budget|fee|balance|payment|money|value|tip|fare|deposit)$/,
  count: /^(?:persons?|people|guests?|quantity|qty|nights|rooms?|count|pages?|copies|adults|children|tickets|rating|stars|n|top|k|limit_results)$/,
  path: /^(?:path|paths|filepath|directory|folder|dir)$/,
  url: /^(?:url|urls|uri|link|links|href|website|webpage|site|endpoint|webhook|callback|domain)$/,
  command: /^(?:command|cmd|shell)$/,
  content: /^(?:body|message|messages|content|contents|text|description|subject|title|comments?|notes?|summary|caption|reason|prompt|details?|memo|html|review|feedback|remarks?|instructions?|thoughts?|html_body|topic|header|footer|expression|query|keywords?|search|question|answer|label|labels|tags?|format|language|color|colour|unit|units|currency|type|category|status|priority|mode|sort|order_by|purpose)$/,
  when: /^(?:date|dates|time|times|day|days|start|end|deadline|until|since|when|hour|hours|minute|minutes|month|year|week|duration|timezone|datetime|timestamp|due|checkin|checkout|check|arrival|interval|recurring|frequency|page|limit|offset|n|size|max|min|top|k)$/,
} as const;

/**
 * What a value of it decides. In an operation that does more than read, whatever is neither a date nor something said decides what it is
 * done to; there a careless "no role" would let anybody's value through.
 */
function roleOf(name: string, schema: JsonObject, type: ParameterType, effect: Effect): ParameterRole | null {
  const parts = wordsOf(name.replace(/[0-9]+/g, ''));
  const last = parts.at(-1) ?? '';
  const says = (pattern: RegExp): boolean => pattern.test(name.toLowerCase()) || parts.some((part) => pattern.test(part));
  const about = typeof schema.description === 'string' ? schema.description : '';
  if (type === 'object' || type === 'boolean' || isSecret(name)) return null;
  if (type === 'number' || type === 'integer') return effect === 'read' || (says(words.count) && !says(words.amount)) ? null : isId(last) ? 'target' : says(words.when) && !says(words.amount) && !/limit|max/.test(name) ? null : 'amount';
  if (type === 'any') return effect === 'read' ? null : isId(last) ? 'target' : null;
  // Without a scheme it would be no URL, and nobody could look at it; as a target its origin counts all the same.
  if (says(words.url)) return schema.format === 'uri' ? 'url' : 'target';
  if (words.command.test(last)) return 'command';
  if (last === 'sql' || (last === 'query' && /\bSQL\b/.test(`${about}`))) return 'query';
  if (says(words.path)) return 'path';
  if (effect === 'read') return isId(last) ? 'target' : null;
  if (isId(last)) return 'target';
  if (says(words.recipient) && !words.content.test(last) && !words.when.test(last) && last !== 'name') return 'recipients';
  if (words.content.test(last) || says(words.when)) return null;
  return 'target';
}

/** A parameter that says which thing, not what becomes of it. */
export const isReference = (parameter: string): boolean => isId(wordsOf(parameter.replace(/[0-9]+/g, '')).at(-1) ?? '');

const isId = (last: string): boolean => last === 'id' || last === 'ids' || last === 'uuid' || last === 'number' || last === 'code';

const isSecret = (name: string): boolean => /(?:^|_)(?:passwords?|passcode|passphrase|pin|secret|api_?key|access_?token|credentials?|otp)(?:_|$)/.test(name.replace(/([a-z])([A-Z])/g, '$1_$2').toLowerCase());
