import { createLoader, parseAsString, parseAsStringLiteral } from 'nuqs/server';

import type { QueueQuery } from '@/lib/contracts/console/approvals';
import { impacts } from '@/lib/shared/impact';

const approvalTabs = ['waiting', 'decided'] as const;
export type ApprovalTab = (typeof approvalTabs)[number];

/** What the approvals page keeps in its address: a copied link shows a colleague the same screen, if they may see it. */
export const approvalsUrl = {
  tab: parseAsStringLiteral(approvalTabs).withDefault('waiting'),
  item: parseAsString,
  text: parseAsString.withDefault(''),
  impact: parseAsStringLiteral(impacts),
};

export const loadApprovalsUrl = createLoader(approvalsUrl);

/** The longest list that is drawn at once; a filter reaches the rest. */
const pageLimit = 200;

type UrlState = { readonly tab: ApprovalTab; readonly text: string; readonly impact: (typeof impacts)[number] | null };

export const queueQueryOf = ({ tab, text, impact }: UrlState): QueueQuery => ({
  scope: 'visible',
  state: tab,
  sort: tab === 'waiting' ? 'time_left' : 'newest',
  limit: pageLimit,
  ...(text.trim() === '' ? {} : { text: text.trim().slice(0, 200) }),
  ...(impact === null ? {} : { impact }),
});
