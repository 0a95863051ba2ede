import { z } from 'zod';

import type { ReceiptId } from '@/lib/shared/ids';

import { envelope, id } from './fields';

/** A signed lowering's envelope; what is lowered stands in the statement. */
export const lowerLabelInput = z.strictObject({ session: id('session'), envelope: envelope(128 * 1024) });
export type LowerLabelInput = z.output<typeof lowerLabelInput>;

export type LoweredLabel = { readonly receipt: ReceiptId; readonly label: string; readonly to: string | null };
