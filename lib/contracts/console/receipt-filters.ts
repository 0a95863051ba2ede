import { z } from 'zod';

import { isReceiptKind } from '@/lib/ledger/receipt-predicate';

import { id, instant } from './fields';

/** Spans of time that end now: kept as words, so that a saved view means today whenever it is opened. `today` begins at midnight UTC. */
export const spans = ['hour', 'today', 'day', 'week', 'month'] as const;
export type Span = (typeof spans)[number];

/** What a list of receipts can be narrowed by; everything given must hold. One schema for address, route, saved view and export. */
export const receiptFilterFields = {
  span: z.enum(spans).optional(),
  from: instant.optional(),
  to: instant.optional(),
  decision: z.enum(['ALLOW', 'DENY', 'MODIFY', 'STEP_UP', 'DEFER']).optional(),
  kind: z.string().refine(isReceiptKind, { error: 'No receipt is of this kind.' }).optional(),
  tool: z.string().min(1).max(200).optional(),
  agent: z.string().min(1).max(64).optional(),
  person: z.string().min(1).max(254).optional(),
  rule: z.string().min(1).max(200).optional(),
  revision: z.coerce.number().int().min(0).max(2_147_483_647).optional(),
  label: z.string().min(1).max(64).optional(),
  session: id('session').optional(),
  action: id('action').optional(),
  text: z.string().min(1).max(200).optional(),
} as const;

export const receiptFilters = z.strictObject(receiptFilterFields);
export type ReceiptFilters = z.infer<typeof receiptFilters>;

export const filterNames = Object.keys(receiptFilterFields) as readonly (keyof ReceiptFilters)[];
