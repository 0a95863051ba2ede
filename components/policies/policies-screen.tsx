'use client';

import { useQuery } from '@tanstack/react-query';
import Link from 'next/link';
import { useQueryStates } from 'nuqs';

import { Band } from '@/components/ui/band';
import { Button } from '@/components/ui/button';
import { ListCard } from '@/components/ui/list-card';
import { EmptyState, ErrorState, LoadingRows } from '@/components/ui/pane-states';
import { Ring } from '@/components/ui/ring';
import { RowsHead } from '@/components/ui/queue-row';
import { Time } from '@/components/ui/time';
import { PolicyTabs } from '@/components/layout/policy-tabs';
import { DetailBlank, ListPane, TwoPane } from '@/components/layout/two-pane';
import { shownFault } from '@/lib/client/parse-answer';
import { policiesUrl } from '@/lib/client/policies-url';
import { policiesQuery, proposalsQuery } from '@/lib/client/queries';
import { useShortcuts } from '@/lib/client/use-shortcuts';
import type { PoliciesView, RevisionView } from '@/lib/contracts/console/policies';
import type { PersonId } from '@/lib/shared/ids';

import { PolicyDetail } from './policy-detail';

/** Every revision and the one in force. */
export function PoliciesScreen({ person, mayDraft }: { readonly person: PersonId; readonly mayDraft: boolean }) {
  const [url, setUrl] = useQueryStates(policiesUrl, { history: 'replace' });
  const { data, error, refetch } = useQuery(policiesQuery());
  const waiting = useQuery(proposalsQuery()).data?.live.length;
  const revisions = data?.revisions ?? [];
  const selected = url.revision ?? data?.in_force?.revision ?? revisions[0]?.revision ?? null;

  function move(step: 1 | -1) {
    const at = revisions.findIndex(({ revision }) => revision === selected);
    const next = revisions[Math.min(revisions.length - 1, Math.max(0, at + step))];
    if (next) void setUrl({ revision: next.revision });
  }
  useShortcuts({ j: () => move(1), k: () => move(-1) });

  return (
    <TwoPane
      pane={url.revision === null ? 'list' : 'detail'}
      list={
        <ListPane
          title="Policies"
          aside={data?.in_force ? `${data.in_force.rules.toLocaleString('en')} rules in force` : 'Nothing in force'}
          tabs={<PolicyTabs current="revisions" proposals={waiting} mayDraft={mayDraft} />}
          label="Revisions, newest first"
          foot={<>A revision comes into force by owners’ signatures on a proposal, or on a file. <Link className="link" href="/grants">Grants</Link>, <Link className="link" href="/policies/guards">guard directories</Link></>}
          keys={[{ keys: ['J', 'K'], does: 'move' }]}
        >
          {error === null ? null : <ErrorState title="The revisions could not be read." code={shownFault(error).code} action={<Button small onClick={() => void refetch()}>Read again</Button>}>{shownFault(error).detail}</ErrorState>}
          {data === undefined ? (error === null ? <LoadingRows what="revisions" /> : null) : <Revisions view={data} selected={selected} />}
        </ListPane>
      }
      detail={
        selected === null
          ? <DetailBlank><EmptyState title={data === undefined ? 'Reading the policy.' : 'No policy was ever signed.'}>{data === undefined ? null : 'Every action is denied until an owner signs one.'}</EmptyState></DetailBlank>
          : <PolicyDetail key={selected} revision={selected} refusal={data?.refusal ?? null} proposer={mayDraft ? person : null} />
      }
    />
  );
}

function Revisions({ view, selected }: { readonly view: PoliciesView; readonly selected: number | null }) {
  const { refusal, revisions } = view;
  return (
    <>
      {refusal === null ? null : <Band tone="deny" icon="denied" title={`${refusal.title}.`} role="note">{refusal.detail} {view.in_force === null ? 'Everything is denied.' : `Revision ${view.in_force.revision} goes on.`} <code>{refusal.code}</code></Band>}
      {revisions.length === 0 ? <EmptyState title="No revision yet.">The first owner signs the starter policy at set-up.</EmptyState> : <RowsHead title="Newest first" right="Signatures" />}
      {revisions.map((revision) => (
        <ListCard
          key={revision.revision} href={`/policies?revision=${revision.revision}`} current={revision.revision === selected}
          name={`r${revision.revision}`}
          right={revision.signers.length === 0 ? <span className="bad">No valid signature</span> : <Ring signed={revision.signers.length} of={Math.max(revision.needed, revision.signers.length)} />}
          what={stateWords(revision)}
          foot={revision.signers.length === 0 ? <>by {revision.applied_by}</> : <>signed by {revision.signers.join(', ')}</>}
          when={<Time at={revision.applied_at} focusable={false} />}
        />
      ))}
    </>
  );
}

function stateWords({ in_force, verification }: RevisionView): string {
  if (verification.state === 'refused') return `Refused: ${verification.detail}`;
  return in_force ? 'In force' : 'Verified, replaced';
}
