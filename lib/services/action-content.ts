import { contentTextDigest, isSeal, sealsIn, sealValues, unsealValues } from '@/lib/ledger/content';
import type { CanonicalAction } from '@/lib/mediate/action';
import type { ContentItem, ContentStore } from '@/lib/ports/content-store';
import { canonicalJson } from '@/lib/shared/canonical-json';
import { toBase64, type Sha256 } from '@/lib/shared/encoding';
import type { Digest } from '@/lib/shared/ids';
import { isJsonObject, type Json, type JsonObject } from '@/lib/shared/json';
import { fail, ok, type Result } from '@/lib/shared/result';

export type SealedAction = {
  readonly digest: Digest;
  readonly items: readonly ContentItem[];
  /** Digests of the sensitive arguments, by parameter. */
  readonly seals: ReadonlyMap<string, Digest>;
};

/** An action as content: each sensitive argument by its own salted digest, so that it can be withheld or erased alone. */
export function sealAction(
  sha256: Sha256,
  { tool, operation, entry }: Pick<CanonicalAction, 'tool' | 'operation' | 'entry'>,
  parameters: JsonObject,
  salt: () => Uint8Array,
): Result<SealedAction> {
  const sensitive: (readonly string[])[] = [];
  for (const name in entry.parameters) if (entry.parameters[name]?.sensitive === true) sensitive.push([name]);
  const sealed = sealValues(sha256, parameters, sensitive, salt);
  if (!sealed.ok) return sealed;
  const whole = freshContent(sha256, salt(), { operation, parameters: sealed.value.sealed, tool });
  return ok({ digest: whole.digest, items: [whole, ...sealed.value.items.map(storedContent)], seals: sealsOf(sealed.value.sealed) });
}

/** A new content item as it is stored: the value's canonical text is written once, for the digest and for the row. */
export function freshContent(sha256: Sha256, salt: Uint8Array, value: Json): ContentItem {
  const body = canonicalJson(value);
  const text = toBase64(salt);
  return { digest: contentTextDigest(sha256, text, body), salt: text, body };
}

/** A content item as it is stored: the value as canonical text. */
export const storedContent = (item: { readonly digest: Digest; readonly salt: string; readonly value: Json }): ContentItem => ({
  digest: item.digest,
  salt: item.salt,
  body: canonicalJson(item.value),
});

/** The sealed arguments of a stored action, by parameter. */
export async function sealsOfAction(content: ContentStore, digest: Digest): Promise<ReadonlyMap<string, Digest>> {
  const whole = (await content.find([digest])).get(digest)?.value;
  const parameters = isJsonObject(whole) ? whole.parameters : undefined;
  return isJsonObject(parameters) ? sealsOf(parameters) : new Map();
}

function sealsOf(parameters: JsonObject): ReadonlyMap<string, Digest> {
  const seals = new Map<string, Digest>();
  for (const [name, value] of Object.entries(parameters)) if (isSeal(value)) seals.set(name, value.$sealed);
  return seals;
}

/**
 * Fields that rules read from sensitive arguments by what these are, not by name: with the digest of such an argument. `entry`
 * undefined: the catalogue of now does not know the operation, and so nobody reads anything of it.
 */
export function sealsByRole(entry: Pick<CanonicalAction['entry'], 'parameters'> | undefined, seals: ReadonlyMap<string, Digest>): ReadonlyMap<string, Digest> {
  const fields = new Map<string, Digest>();
  for (const [name, digest] of seals) {
    const role = entry && Object.hasOwn(entry.parameters, name) ? entry.parameters[name]?.role : undefined;
    if (role === 'recipients') fields.set('recipient', digest);
    if (role === 'target') fields.set('target', digest);
  }
  return fields;
}

export type OpenedAction = { readonly tool: string; readonly operation: string; readonly parameters: JsonObject };

/** Values by digest, of those rows that still are what the digest covers: an altered row is as good as an erased one. */
async function findWhole(content: ContentStore, sha256: Sha256, digests: readonly Digest[]): Promise<ReadonlyMap<Digest, Json>> {
  const whole = new Map<Digest, Json>();
  if (digests.length === 0) return whole;
  for (const [digest, { salt, body, value }] of await content.find(digests)) {
    if (contentTextDigest(sha256, salt, body) === digest) whole.set(digest, value);
  }
  return whole;
}

/** One value behind a digest; null when it was erased or altered. */
export const openContent = async (content: ContentStore, sha256: Sha256, digest: Digest): Promise<Json | null> =>
  (await findWhole(content, sha256, [digest])).get(digest) ?? null;

/** The action behind a digest, sensitive arguments put back. `not_found` when any part was erased or altered: then nothing runs. */
export async function openAction(content: ContentStore, sha256: Sha256, digest: Digest): Promise<Result<OpenedAction>> {
  const whole = (await findWhole(content, sha256, [digest])).get(digest);
  if (whole === undefined) return fail('not_found', 'The content of this action was erased.');
  const seals = sealsIn(whole);
  const parts = await findWhole(content, sha256, seals);
  if (seals.some((seal) => !parts.has(seal))) return fail('not_found', 'A sensitive argument of this action was erased.');
  const value = unsealValues(whole, (seal) => parts.get(seal));
  if (!isJsonObject(value)) return fail('internal', 'The stored action is not an object.');
  const { tool, operation, parameters } = value;
  if (typeof tool !== 'string' || typeof operation !== 'string' || !isJsonObject(parameters)) {
    return fail('internal', 'The stored action does not have the shape of an action.');
  }
  return ok({ tool, operation, parameters });
}
