import { z } from 'zod';

import { canonicalJson } from '@/lib/shared/canonical-json';
import { digestField } from '@/lib/shared/document-fields';
import { digestOf, fromBase64, toBase64, utf8, type Sha256 } from '@/lib/shared/encoding';
import { isDigest, type Digest } from '@/lib/shared/ids';
import { isJsonArray, isJsonObject, type Json, type JsonObject } from '@/lib/shared/json';
import { fail, ok, type Result } from '@/lib/shared/result';

import { jsonField } from './json-field';

/**
 * A value that receipts name only by digest: an action, an output, a snapshot, one sensitive argument. It lies apart from
 * the log, so it can be withheld or erased while every proof stays whole. The salt keeps short values from being guessed.
 */
export type ContentItem = {
  /** SHA-256 of the canonical JSON `{"salt":…,"value":…}`. */
  readonly digest: Digest;
  /** 16 random bytes in base64. */
  readonly salt: string;
  readonly value: Json;
};

export const saltBytes = 16;

export const contentItemSchema: z.ZodType<ContentItem> = z.strictObject({
  digest: digestField,
  salt: z.custom<string>((value) => typeof value === 'string' && fromBase64(value)?.length === saltBytes, 'not 16 bytes of base64'),
  value: jsonField,
});

export function contentItem(sha256: Sha256, salt: Uint8Array, value: Json): ContentItem {
  if (salt.length !== saltBytes) throw new RangeError(`A salt has ${saltBytes} bytes.`);
  const text = toBase64(salt);
  return { digest: contentDigest(sha256, text, value), salt: text, value };
}

export const contentDigest = (sha256: Sha256, salt: string, value: Json): Digest => contentTextDigest(sha256, salt, canonicalJson(value));

/** The same from the value's canonical text, for whoever has it at hand. */
export const contentTextDigest = (sha256: Sha256, salt: string, text: string): Digest =>
  digestOf(sha256, utf8(hashedContentText(salt, text)));

/** The text whose UTF-8 that digest is taken of. For hosts that hash texts. */
export const hashedContentText = (salt: string, text: string): string => `{"salt":"${salt}","value":${text}}`;

/** False when value or salt were changed since the digest was taken. */
export const isContentWhole = (sha256: Sha256, item: ContentItem): boolean =>
  contentDigest(sha256, item.salt, item.value) === item.digest;

const sealName = '$sealed';

/** What stands in place of a sensitive value, before the digest of the whole is taken. */
export type Seal = { readonly $sealed: Digest };

export function isSeal(value: Json | undefined): value is Seal {
  if (!isJsonObject(value) || Object.keys(value).length !== 1) return false;
  const digest = value[sealName];
  return typeof digest === 'string' && isDigest(digest);
}

/**
 * Replaces the values at `paths` (such as `['body']`, `['auth', 'token']`; missing ones are passed over) by seals, each
 * becoming a content item of its own. The digest of the sealed form holds for full and for redacted bundles alike.
 * `invalid_input` when the value names `$sealed` itself: it could otherwise pass somebody else's content off as its own.
 */
export function sealValues(
  sha256: Sha256,
  value: JsonObject,
  paths: readonly (readonly string[])[],
  nextSalt: () => Uint8Array,
): Result<{ readonly sealed: JsonObject; readonly items: readonly ContentItem[] }> {
  if (namesSeal(value)) return fail('invalid_input', `A parameter may not be named ${sealName}.`);
  const items: ContentItem[] = [];
  const seal = (inner: Json): Json => {
    const item = contentItem(sha256, nextSalt(), inner);
    items.push(item);
    return { [sealName]: item.digest };
  };
  let sealed = value;
  for (const path of paths) sealed = replaceIn(sealed, path, seal);
  return ok({ sealed, items });
}

/** Puts sealed values back where `find` has them; what it does not have (withheld, erased) stays sealed. */
export function unsealValues(value: Json, find: (digest: Digest) => Json | undefined): Json {
  if (isSeal(value)) {
    const inner = find(value.$sealed);
    return inner === undefined ? value : inner;
  }
  if (isJsonArray(value)) return value.map((item) => unsealValues(item, find));
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, unsealValues(item, find)]));
}

/** Digests of the sealed values inside. */
export function sealsIn(value: Json): readonly Digest[] {
  if (isSeal(value)) return [value.$sealed];
  if (isJsonArray(value)) return value.flatMap(sealsIn);
  return isJsonObject(value) ? Object.values(value).flatMap(sealsIn) : [];
}

function replaceIn(object: JsonObject, [name, ...rest]: readonly string[], replace: (inner: Json) => Json): JsonObject {
  const inner = name !== undefined && Object.hasOwn(object, name) ? object[name] : undefined;
  if (name === undefined || inner === undefined) return object;
  if (rest.length === 0) return isSeal(inner) ? object : { ...object, [name]: replace(inner) };
  return isJsonObject(inner) ? { ...object, [name]: replaceIn(inner, rest, replace) } : object;
}

function namesSeal(value: Json): boolean {
  if (isJsonArray(value)) return value.some(namesSeal);
  return isJsonObject(value) && (Object.hasOwn(value, sealName) || Object.values(value).some(namesSeal));
}
