'use client';

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';

import { suggestRules } from '@/app/actions/proofs';
import { Band } from '@/components/ui/band';
import { Button } from '@/components/ui/button';
import { actionValue, refusalOf } from '@/lib/client/action-fault';
import { suggestionsQuery } from '@/lib/client/queries';
import { queryKeys } from '@/lib/client/query-keys';
import type { SuggestResult } from '@/lib/contracts/console/proofs';

/** For owners, once people have decided often enough: looks for rules that would have saved the last approvals, and proposes them. */
export function SuggestRules() {
  const client = useQueryClient();
  const { data } = useQuery(suggestionsQuery());
  const looking = useMutation({
    mutationFn: async () => actionValue(await suggestRules({})),
    onSettled: () => client.invalidateQueries({ queryKey: queryKeys.proposals }),
  });
  if (data?.worth_looking !== true) return null;
  const fault = refusalOf(looking.error);
  const again = <Button small onClick={() => looking.mutate()} offBecause={looking.isPending ? 'Looking' : undefined}>{looking.data === undefined ? 'Suggest rules' : 'Look again'}</Button>;
  if (fault !== null) return <Band tone="deny" icon="stale" role="alert" title={`${fault.title}.`} action={again}>{fault.detail} Nothing was proposed. {fault.fix}</Band>;
  return <Band icon="approvals" title={looking.data === undefined ? `People decided ${data.decided.toLocaleString('en')} requests in 30 days.` : foundWords(looking.data)} action={again}>{looking.data === undefined ? 'A rule may save them some: only what they approved again and again, and nothing that anybody denied.' : 'Owners sign or reject each like any other proposal.'}</Band>;
}

function foundWords({ made, found }: SuggestResult): string {
  if (made.length > 0) return made.length === 1 ? 'One rule is proposed.' : `${String(made.length)} rules are proposed.`;
  return found > 0 ? 'What was found is proposed already.' : 'No rule is narrow enough to be worth it.';
}
