'use client';

import { useQuery } from '@tanstack/react-query';
import { useQueryStates } from 'nuqs';

import { Button } from '@/components/ui/button';
import { ListCard } from '@/components/ui/list-card';
import { EmptyState, ErrorState, LoadingRows } from '@/components/ui/pane-states';
import { RowsHead } from '@/components/ui/queue-row';
import { Ring } from '@/components/ui/ring';
import { Time } from '@/components/ui/time';
import { UntrustedText } from '@/components/ui/untrusted-text';
import { DetailBlank, ListPane, TwoPane } from '@/components/layout/two-pane';
import { guardsUrl } from '@/lib/client/guards-url';
import { shownFault } from '@/lib/client/parse-answer';
import { guardDirectoriesQuery } from '@/lib/client/queries';
import { useShortcuts } from '@/lib/client/use-shortcuts';
import type { GuardCard, GuardDirectoriesView, GuardDirectoryView } from '@/lib/contracts/console/guard-directories';
import type { PersonId } from '@/lib/shared/ids';

import { GuardDirectoryDetail } from './guard-directory-detail';
import { GuardProposalDetail } from './guard-proposal-detail';

interface GuardDirectoriesScreenProps {
  readonly person: PersonId;
  readonly maySign: boolean;
}

/** What agents ask for in attached directories, and the directories themselves. */
export function GuardDirectoriesScreen({ person, maySign }: GuardDirectoriesScreenProps) {
  const [url, setUrl] = useQueryStates(guardsUrl, { history: 'replace' });
  const { data, error, refetch } = useQuery(guardDirectoriesQuery());
  const all = [...(data?.live ?? []), ...(data?.ended ?? [])];
  const chosen = url.proposal === null && url.directory === null;
  const proposal = chosen ? data?.live[0] : all.find(({ id }) => id === url.proposal);
  const directory = proposal ? undefined : (data?.directories.find(({ name }) => name === url.directory) ?? (chosen ? data?.directories[0] : undefined));

  function move(step: 1 | -1) {
    const at = all.findIndex(({ id }) => id === proposal?.id);
    const next = all[Math.min(all.length - 1, Math.max(0, at + step))];
    if (next) void setUrl({ proposal: next.id, directory: null });
  }
  useShortcuts({ j: () => move(1), k: () => move(-1) });

  return (
    <TwoPane
      pane={chosen ? 'list' : 'detail'}
      list={
        <ListPane
          title="Guard directories" aside={data === undefined ? undefined : `${data.live.length} waiting`} label="Proposals of attached directories, those that wait first"
          foot="Agents ask in their inbox. The allowlist changes when owners sign." keys={[{ keys: ['J', 'K'], does: 'move' }]}
        >
          {error === null ? null : <ErrorState title="The directories could not be read." code={shownFault(error).code} action={<Button small onClick={() => void refetch()}>Read again</Button>}>{shownFault(error).detail}</ErrorState>}
          {data === undefined ? (error === null ? <LoadingRows what="guard directories" /> : null) : <Cards view={data} proposal={proposal?.id} directory={directory?.name} />}
        </ListPane>
      }
      detail={
        data !== undefined && proposal
          ? <GuardProposalDetail key={proposal.id} card={proposal} view={data} person={person} maySign={maySign} />
          : data !== undefined && directory
            ? <GuardDirectoryDetail directory={directory} consoleUid={data.console_uid} />
            : <DetailBlank><EmptyState title={data === undefined ? 'Reading the directories.' : all.length === 0 && data.directories.length === 0 ? 'No directory is attached.' : 'It is not here.'}>{data === undefined ? null : 'Whoever starts the console names them in COUNTERSIGN_GUARD_DIRS. Nobody can attach one from here.'}</EmptyState></DetailBlank>
      }
    />
  );
}

function Cards({ view, proposal, directory }: { readonly view: GuardDirectoriesView; readonly proposal: string | undefined; readonly directory: string | undefined }) {
  return (
    <>
      {view.live.length === 0 ? null : <RowsHead title="Waiting" right="Signatures" />}
      {view.live.map((card) => <ProposalCard key={card.id} card={card} current={card.id === proposal} />)}
      <RowsHead title="Directories" right="Revision" />
      {view.directories.length === 0 ? <EmptyState title="None is attached.">Whoever starts the console names them in COUNTERSIGN_GUARD_DIRS.</EmptyState> : null}
      {view.directories.map((one) => (
        <ListCard
          key={one.name} href={`/policies/guards?directory=${encodeURIComponent(one.name)}`} current={one.name === directory} name={one.name}
          right={one.revision === null ? <span className="bad">Refused</span> : `r${one.revision}`} what={directoryWords(one)} foot={one.path}
        />
      ))}
      {view.ended.length === 0 ? null : <RowsHead title="Ended" right="" />}
      {view.ended.map((card) => <ProposalCard key={card.id} card={card} current={card.id === proposal} />)}
    </>
  );
}

function ProposalCard({ card, current }: { readonly card: GuardCard; readonly current: boolean }) {
  const { end } = card;
  return (
    <ListCard
      href={`/policies/guards?proposal=${card.id}`} current={current} name={card.permission}
      right={end === null ? <Ring signed={card.signed.length} of={card.needed} /> : stateWords[card.state]}
      what={<>“<UntrustedText text={card.reason.replaceAll('\n', ' ')} />”</>} foot={<>{card.directory} · uid {card.uid}</>} when={<Time at={end?.at ?? card.at} focusable={false} />}
    />
  );
}

const stateWords: Readonly<Record<GuardCard['state'], string>> = {
  open: 'Waiting', signed: 'Signed', applied: 'Applied', rejected: 'Rejected', withdrawn: 'Withdrawn', stale: 'Stale',
};

function directoryWords({ refusal, owned, permissions, odd }: GuardDirectoryView): string {
  if (refusal !== null) return refusal;
  const many = `${permissions.length} ${permissions.length === 1 ? 'operation' : 'operations'} allowed`;
  if (!owned) return `${many}. The console is not its owner: it only looks.`;
  return odd.length === 0 ? many : `${many}; ${odd.length} odd ${odd.length === 1 ? 'file' : 'files'} in the inbox`;
}
