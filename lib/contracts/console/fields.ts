import { z } from 'zod';

import { isNormalEmail, normalEmail } from '@/lib/shared/email';
import { publicKeyField } from '@/lib/shared/document-fields';
import { parseEnvelope } from '@/lib/shared/dsse';
import { bounds } from '@/lib/shared/bounds';
import { idPrefixes, isId, isName, type IdKind, type IdOf } from '@/lib/shared/ids';

export const id = <Kind extends IdKind>(kind: Kind) =>
  z.custom<IdOf<Kind>>((value) => typeof value === 'string' && isId(kind, value), {
    error: `An id of the form ${idPrefixes[kind]}_… is needed here.`,
  });

export const name = z.string().refine(isName, { error: 'Letters, digits, ".", "_" and "-" only, at most 64, starting with a letter or digit.' });

/** A name that people read: any letters, no control characters. */
export const personName = z
  .string()
  .trim()
  .min(1)
  .max(200)
  .refine((text) => text.isWellFormed() && !/\p{Cc}/u.test(text), { error: 'A name without control characters is needed here.' });

export const email = z
  .string()
  .max(254)
  .transform(normalEmail)
  .refine((text) => isNormalEmail(text) && text.includes('.', text.indexOf('@')), { error: 'An e-mail address is needed here.' });

/** Long rather than odd: length is what makes guessing expensive. The upper bound bounds the hashing. */
export const password = z.string().min(12, { error: 'At least 12 characters.' }).max(200);

export const reason = z.string().trim().max(bounds.reasonText).refine((text) => text.isWellFormed(), { error: 'The text holds a lone surrogate.' });

/** A DSSE envelope as canonical JSON text, bounded. */
export const envelope = (maxBytes: number = bounds.bodyBytes) =>
  z
    .string()
    .max(maxBytes)
    .refine((text) => parseEnvelope(text).ok, { error: 'A DSSE envelope, written canonically, is needed here.' });

export const publicKey = publicKeyField;

/** 256 random bits behind a prefix; the server compares its hash. */
export const linkToken = z.string().min(20).max(200);

/** No database knows a year 0. */
export const instant = z.iso.datetime({ precision: 3 }).refine((text) => !text.startsWith('0000'), { error: 'There is no year 0.' });

export const pageSize = z.coerce.number().int().min(1).max(200).default(50);
