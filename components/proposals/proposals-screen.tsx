'use client';

import { useQuery } from '@tanstack/react-query';
import Link from 'next/link';
import { useQueryStates } from 'nuqs';
import { useState } from 'react';

import { Band } from '@/components/ui/band';
import { Button } from '@/components/ui/button';
import { Icon } from '@/components/ui/icon';
import { KeysDialog } from '@/components/ui/keys-dialog';
import { EmptyState, ErrorState, LoadingRows } from '@/components/ui/pane-states';
import { PolicyTabs } from '@/components/layout/policy-tabs';
import { DetailBlank, ListPane, TwoPane } from '@/components/layout/two-pane';
import { SuggestRules } from '@/components/proof/suggest-rules';
import { refusalOf } from '@/lib/client/action-fault';
import { shownFault } from '@/lib/client/parse-answer';
import { policiesUrl } from '@/lib/client/policies-url';
import { policiesQuery, proposalsQuery } from '@/lib/client/queries';
import { useShortcuts } from '@/lib/client/use-shortcuts';
import type { SignedProposals } from '@/lib/contracts/console/proposals';
import { isId, type PersonId, type ProposalId } from '@/lib/shared/ids';

import { groupedCards, ProposalCards } from './proposal-cards';
import { proposalKeys } from './proposal-keys';
import { ProposalPart } from './proposal-part';
import { SignProposalsDialog } from './sign-proposals-dialog';
import { useProposalActions } from './use-proposal-actions';

interface ProposalsScreenProps {
  readonly person: PersonId;
  readonly may: { readonly sign: boolean; readonly draft: boolean };
}

/** What is proposed, the one that is looked at, and several to be signed in order. */
export function ProposalsScreen({ person, may }: ProposalsScreenProps) {
  const [url, setUrl] = useQueryStates(policiesUrl, { history: 'replace' });
  const { data, error, refetch } = useQuery(proposalsQuery());
  const rules = useQuery(policiesQuery()).data?.in_force?.rules;
  const [picked, setPicked] = useState<readonly string[]>([]);
  const [chain, setChain] = useState<readonly ProposalId[] | null>(null);
  const [help, setHelp] = useState(false);
  const [said, setSaid] = useState<string | null>(null);
  const { ordering } = useProposalActions();
  const groups = data && groupedCards(data);
  const order = groups ? [...groups.ready, ...groups.stuck, ...groups.ended] : [];
  const selected = url.proposal ?? order[0]?.id ?? null;

  function move(step: 1 | -1) {
    const at = order.findIndex(({ id }) => id === selected);
    const next = order[Math.min(order.length - 1, Math.max(0, at + step))];
    if (next) void setUrl({ proposal: next.id });
  }
  useShortcuts({ j: () => move(1), k: () => move(-1), '?': () => setHelp(true) });
  const pick = (id: string) => setPicked((before) => (before.includes(id) ? before.filter((one) => one !== id) : [...before, id]));
  const chosen = picked.filter((id): id is ProposalId => isId('proposal', id) && order.some((one) => one.id === id));
  function signed(done: SignedProposals) {
    setChain(null);
    setPicked([]);
    setSaid(outcomeWords(done));
  }

  const orderFault = refusalOf(ordering.error);
  return (
    <>
      <TwoPane
        pane={url.proposal === null ? 'list' : 'detail'}
        list={
          <ListPane
            title="Policies" aside={rules === undefined ? undefined : `${rules.toLocaleString('en')} rules in force`}
            tabs={<PolicyTabs current="proposals" proposals={data?.live.length} mayDraft={may.draft} />}
            {...(may.sign && chosen.length > 1 ? { tools: (
              <Button small kind="primary" icon={<Icon name="key" small />} offBecause={ordering.isPending ? 'Rebasing' : undefined} onClick={() => ordering.mutate(chosen, { onSuccess: ({ proposals }) => setChain(proposals) })}>Sign these {chosen.length} in order</Button>
            ) } : {})}
            label="Proposals, those that need signatures first"
            foot={<>Agents can propose policies and grants. They can’t sign them. <Link className="link" href="/grants">Grants</Link>, <Link className="link" href="/policies/guards">guard directories</Link></>}
            keys={[{ keys: ['J', 'K'], does: 'move' }, ...(may.sign ? [{ keys: ['S'], does: 'sign' }, { keys: ['R'], does: 'reject' }] : []), { keys: ['?'], does: 'all keys' }]}
          >
            {said === null ? null : <Band icon="check" title={said} action={<Button small onClick={() => setSaid(null)}>Close</Button>}>{null}</Band>}
            {orderFault === null ? null : <Band tone="deny" icon="stale" role="alert" title={`${orderFault.title}.`}>{orderFault.detail} Nothing was signed. {orderFault.fix}</Band>}
            {error === null ? null : <ErrorState title="The proposals could not be read." code={shownFault(error).code} action={<Button small onClick={() => void refetch()}>Read again</Button>}>{shownFault(error).detail}</ErrorState>}
            {may.sign ? <SuggestRules /> : null}
            {data === undefined ? (error === null ? <LoadingRows what="proposals" /> : null) : <ProposalCards view={data} selected={selected} picked={may.sign && (groups?.ready.length ?? 0) > 1 ? picked : null} onPick={pick} />}
          </ListPane>
        }
        detail={
          selected === null || !isId('proposal', selected)
            ? <DetailBlank><EmptyState title={data === undefined ? 'Reading the proposals.' : 'Nothing is proposed.'}>{data === undefined ? null : 'What is in force stands under Revisions.'}</EmptyState></DetailBlank>
            : <ProposalPart key={selected} id={selected} onSign={() => setChain([selected])} />
        }
      />
      {help ? <KeysDialog keys={proposalKeys} onClose={() => setHelp(false)} /> : null}
      {chain === null ? null : <SignProposalsDialog person={person} proposals={chain} onDone={signed} onClose={() => setChain(null)} />}
    </>
  );
}

function outcomeWords({ steps }: SignedProposals): string {
  const last = steps.findLast(({ applied }) => applied);
  const waits = steps.find(({ applied }) => !applied)?.waits ?? null;
  const said = last === undefined ? 'Your signature is kept.' : `Signed: revision ${String(last.revision ?? '')} is in force.`;
  return waits === null ? said : `${said} ${waits}`;
}
