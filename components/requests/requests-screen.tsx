'use client';

import { useQuery } from '@tanstack/react-query';

import { Button } from '@/components/ui/button';
import { EmptyState, ErrorState, LoadingRows } from '@/components/ui/pane-states';
import { Section } from '@/components/ui/section';
import { Page } from '@/components/layout/board';
import { ownQueue } from '@/lib/client/own-queue';
import { shownFault } from '@/lib/client/parse-answer';
import { queueListQuery } from '@/lib/client/queries';
import { useClockOffset } from '@/lib/client/use-clock-offset';

import { HeldForMe } from './held-for-me';
import { PastRequests } from './past-requests';

/** How many ask the server at once who can decide them. */
const askedAtOnce = 10;

/** The requester's own page: what agents want to do for them and waits, who can decide it, and how earlier ones ended. */
export function RequestsScreen() {
  const { data, error, refetch } = useQuery(queueListQuery(ownQueue));
  const offsetMs = useClockOffset(data?.now ?? '');
  const waiting = data?.items.filter(({ state }) => state === 'pending') ?? [];
  const past = data?.items.filter(({ state }) => state !== 'pending') ?? [];
  return (
    <Page title="Requests" lead="What agents want to do on your behalf and may not do alone. You can’t approve it yourself; you can withdraw it.">
      {error === null ? null : <ErrorState title="Your requests could not be read." code={shownFault(error).code} action={<Button small onClick={() => void refetch()}>Read again</Button>}>{shownFault(error).detail} Nothing was withdrawn.</ErrorState>}
      {data === undefined ? (error === null ? <LoadingRows what="your requests" /> : null) : (
        <>
          <Section title="Held for you" note={`${waiting.length}`}>
            {waiting.length === 0 ? <EmptyState title="Nothing is held for you.">When an agent asks for something that a person must countersign, it appears here with who can decide it.</EmptyState> : waiting.map((item, index) => <HeldForMe key={item.id} item={item} offsetMs={offsetMs} asks={index < askedAtOnce} />)}
          </Section>
          <PastRequests items={past} />
        </>
      )}
    </Page>
  );
}
