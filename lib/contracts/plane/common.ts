import { z } from 'zod';

import { idPrefixes, isId, isName, type IdKind, type IdOf } from '@/lib/shared/ids';
import type { Json, JsonObject } from '@/lib/shared/json';

/** An id of one kind, branded. */
export const idSchema = <Kind extends IdKind>(kind: Kind) =>
  z.custom<IdOf<Kind>>((value) => typeof value === 'string' && isId(kind, value), {
    message: `An id of the form ${idPrefixes[kind]}_… is needed here.`,
  });

export const wellFormed = (max: number) =>
  z
    .string()
    .max(max)
    .refine((text) => text.isWellFormed() && !text.includes('\0'), { message: 'The text holds a lone surrogate or a NUL, which no row can keep.' });

export const nameSchema = z.string().refine(isName, {
  message: 'Letters, digits, ".", "_" and "-" only, at most 64, starting with a letter or digit.',
});

export const emailSchema = z
  .string()
  .max(254)
  .regex(/^[^\s@<>"(),:;\\]+@[^\s@<>"(),:;\\]+\.[^\s@<>"(),:;\\]+$/u, { message: 'An e-mail address is needed here.' })
  .transform((text) => text.normalize('NFC').toLowerCase());

/** UTC with milliseconds at most, such as 2026-11-30T12:00:00.000Z. */
export const instantSchema = z.iso.datetime({ precision: 3 }).or(z.iso.datetime({ precision: 0 }));

/** Any JSON value. The strict parser has read it already, bounded and exact; walking it once more would cost on every call. */
export const jsonSchema = z.custom<Json>((value) => value !== undefined, { message: 'A JSON value is needed here.' });
export const parametersSchema = z.custom<JsonObject>((value) => typeof value === 'object' && value !== null && !Array.isArray(value), {
  message: 'An object of parameters is needed here.',
});
