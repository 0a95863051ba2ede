'use client';

import { useQuery } from '@tanstack/react-query';

import { isAnswerable } from '@/components/signing/supply-dialog';
import { Button } from '@/components/ui/button';
import { EmptyState, ErrorState, LoadingRows } from '@/components/ui/pane-states';
import { Section } from '@/components/ui/section';
import { Page } from '@/components/layout/board';
import { ownQueue } from '@/lib/client/own-queue';
import { shownFault } from '@/lib/client/parse-answer';
import { deferralsQuery, queueListQuery } from '@/lib/client/queries';
import { useClockOffset } from '@/lib/client/use-clock-offset';

import type { PersonId } from '@/lib/shared/ids';

import { DeferredForMe } from './deferred-for-me';
import { HeldForMe } from './held-for-me';
import { PastRequests } from './past-requests';

/** How many ask the server at once who can decide them. */
const askedAtOnce = 10;

/** The requester's own page: what agents want to do for them and waits, who can decide it, and how earlier ones ended. */
export function RequestsScreen({ person }: { readonly person: PersonId }) {
  const { data, error, refetch } = useQuery(queueListQuery(ownQueue));
  const offsetMs = useClockOffset(data?.now ?? '');
  const deferrals = useQuery(deferralsQuery());
  // What waits for people is held for you above: once is enough.
  const deferred = deferrals.data?.items.filter(({ own, approval }) => own && approval === null) ?? [];
  const [asked, deferredElse] = [deferred.filter(({ missing }) => missing.some(isAnswerable)), deferred.filter(({ missing }) => !missing.some(isAnswerable))];
  const waiting = data?.items.filter(({ state }) => state === 'pending') ?? [];
  const past = data?.items.filter(({ state }) => state !== 'pending') ?? [];
  return (
    <Page title="Requests" lead="What agents want to do on your behalf and may not do alone. You can’t approve it yourself; you can answer what only you know, and withdraw it.">
      {error === null ? null : <ErrorState title="Your requests could not be read." code={shownFault(error).code} action={<Button small onClick={() => void refetch()}>Read again</Button>}>{shownFault(error).detail} Nothing was withdrawn.</ErrorState>}
      {data === undefined ? (error === null ? <LoadingRows what="your requests" /> : null) : (
        <>
          {asked.length === 0 ? null : <Section title="Waiting for your answer" note={`${asked.length}`}>{asked.map((item) => <DeferredForMe key={item.id} item={item} person={person} offsetMs={offsetMs} />)}</Section>}
          <Section title="Held for you" note={`${waiting.length}`}>
            {waiting.length === 0 ? <EmptyState title="Nothing is held for you.">When an agent asks for something that a person must countersign, it appears here with who can decide it.</EmptyState> : waiting.map((item, index) => <HeldForMe key={item.id} item={item} offsetMs={offsetMs} asks={index < askedAtOnce} />)}
          </Section>
          {deferrals.error === null ? null : <ErrorState title="What is deferred for you could not be read." code={shownFault(deferrals.error).code} action={<Button small onClick={() => void deferrals.refetch()}>Read again</Button>}>{shownFault(deferrals.error).detail}</ErrorState>}
          {deferredElse.length === 0 ? null : (
            <Section title="Deferred for you" note={`${deferredElse.length}`}>{deferredElse.map((item) => <DeferredForMe key={item.id} item={item} person={person} offsetMs={offsetMs} />)}</Section>
          )}
          <PastRequests items={past} />
        </>
      )}
    </Page>
  );
}
