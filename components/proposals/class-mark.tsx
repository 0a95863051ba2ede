import { ChangeDirection } from '@/components/ui/list-card';
import type { ProposalCard } from '@/lib/contracts/console/proposals';

import { classWords } from './proposal-words';

/** Which way it goes, as proved. What is not proved looks like what it counts as. */
export function ClassMark({ change, suffix }: { readonly change: ProposalCard['change']; readonly suffix?: string }) {
  if (change === 'tighten') return <ChangeDirection direction="tightens" {...(suffix === undefined ? {} : { suffix })} />;
  if (change === 'loosen') return <ChangeDirection direction="loosens" {...(suffix === undefined ? {} : { suffix })} />;
  if (change === 'mixed') return <ChangeDirection direction="mixed" {...(suffix === undefined ? {} : { suffix })} />;
  return <span className={change === null ? 'kind kind-tight' : 'kind kind-loose'}>{classWords(change)}</span>;
}
