import { z } from 'zod';

import { idField, keyIdField } from '@/lib/shared/document-fields';
import { keyKinds } from '@/lib/shared/keys';

import type { Signatory } from './signatory';

/** Strict fields that every statement of a person has. */
export const signatoryField: z.ZodType<Signatory> = z.strictObject({ person: idField('person'), key: keyIdField, key_kind: z.enum(keyKinds) });

export const nonceField = z.string().regex(/^[0-9a-f]{32}$/, { error: 'Expected 128 bits in lower-case hex.' });
