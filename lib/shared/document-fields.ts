import { z } from 'zod';

import { fromBase64 } from './encoding';
import { isDigest, isId, type Digest, type IdKind, type IdOf, type KeyId } from './ids';
import { fitsKind, keyKinds, type PublicKeyEntry } from './keys';
import { isTimestamp, type Timestamp } from './timestamp';

/** Characters; a passkey's entry is at most 2048 bytes. */
const mostPublicKeyText = 2732;

/** Schemas of the fields that signed documents share. Each accepts exactly one spelling of a value. */
const text = <T extends string>(accepts: (value: string) => boolean, what: string): z.ZodType<T> =>
  z.custom<T>((value) => typeof value === 'string' && accepts(value), { error: `Expected ${what}.` });

export const digestField = text<Digest>(isDigest, 'a SHA-256 in lower-case hex');

export const keyIdField = text<KeyId>(isDigest, "a key's id: SHA-256 of its public bytes in lower-case hex");

export const timestampField = text<Timestamp>(isTimestamp, 'a UTC time with milliseconds, such as 2026-01-31T09:05:00.000Z');

/** 16 bytes in standard base64. */
export const saltField = text<string>((value) => fromBase64(value)?.length === 16, '16 bytes in standard base64');

export const idField = <Kind extends IdKind>(kind: Kind): z.ZodType<IdOf<Kind>> =>
  text<IdOf<Kind>>((value) => isId(kind, value), `the id of a ${kind}`);

/** A public key with its id, in the form of its kind. That the id is the key's own hash is checked where hashing is at hand. */
export const publicKeyField: z.ZodType<PublicKeyEntry> = z
  .strictObject({
    id: keyIdField,
    kind: z.enum(keyKinds),
    public_key: text<string>((value) => value.length <= mostPublicKeyText && keyKinds.some((kind) => fitsKind(kind, fromBase64(value) ?? new Uint8Array())), 'a public key in standard base64'),
  })
  .refine(({ kind, public_key }) => fitsKind(kind, fromBase64(public_key) ?? new Uint8Array()), { error: 'The key is not one of its kind.' });

/** Text that has a canonical form, within a bound and not empty. */
export const boundedText = (maxLength: number): z.ZodType<string> =>
  text<string>(
    (value) => value.length > 0 && value.length <= maxLength && value.isWellFormed(),
    `text of 1 to ${maxLength} characters`,
  );

/** A counter: a whole number from `from` on that JSON carries exactly. */
export const countField = (from: number): z.ZodType<number> => z.int().min(from);
