import { parseAsString, parseAsStringLiteral } from 'nuqs/server';

import { reconciliationLists } from '@/lib/contracts/console/reconciliation';

/** `gaps` is no list of the server's: the log is looked at stretch by stretch. */
export const reconciliationShown = [...reconciliationLists, 'gaps'] as const;
export type ReconciliationShown = (typeof reconciliationShown)[number];

export const reconciliationUrl = {
  list: parseAsStringLiteral(reconciliationShown).withDefault('outcome_missing'),
  receipt: parseAsString,
};
