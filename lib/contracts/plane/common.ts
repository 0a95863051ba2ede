import { z } from 'zod';

import { bounds } from '@/lib/shared/bounds';
import { idPrefixes, isId, isName, type IdKind, type IdOf } from '@/lib/shared/ids';

/** An id of one kind, branded. */
export const idSchema = <Kind extends IdKind>(kind: Kind) =>
  z.custom<IdOf<Kind>>((value) => typeof value === 'string' && isId(kind, value), {
    message: `An id of the form ${idPrefixes[kind]}_… is needed here.`,
  });

export const wellFormed = (max: number) =>
  z
    .string()
    .max(max)
    .refine((text) => text.isWellFormed(), { message: 'The text holds a lone surrogate.' });

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

/** Parsed JSON from the strict parser: bounded and exact already. */
export const jsonSchema = z.json();
export const parametersSchema = z.record(z.string().min(1).max(bounds.nameLength), z.json());
