import type { SwitchView } from '@/lib/contracts/console/agents';

/** What a switch covers, as a sentence names it. */
export const coveredBy = ({ scope, subject }: Pick<SwitchView, 'scope' | 'subject'>): string => (scope === 'all' ? 'everything' : `the ${scope} ${subject}`);
