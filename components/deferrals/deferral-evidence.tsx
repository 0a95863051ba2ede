'use client';

import { useQuery } from '@tanstack/react-query';

import { Button } from '@/components/ui/button';
import { ErrorState, LoadingRows } from '@/components/ui/pane-states';
import { ArgumentTable } from '@/components/ui/provenance';
import { PersonQuote, UnverifiedQuote } from '@/components/ui/quote';
import { Section } from '@/components/ui/section';
import { UntrustedText } from '@/components/ui/untrusted-text';
import type { HeldArgument } from '@/lib/approvals/held-action';
import { shownFault } from '@/lib/client/parse-answer';
import { deferralDetailQuery } from '@/lib/client/queries';
import type { DeferralItem } from '@/lib/contracts/console/deferrals';
import { canonicalJson } from '@/lib/shared/canonical-json';

/** The action itself, each value with where it came from, and the words that it rests on. */
export function DeferralEvidence({ item: { id, human, agent } }: { readonly item: Pick<DeferralItem, 'id' | 'human' | 'agent'> }) {
  const { data, error, refetch } = useQuery(deferralDetailQuery(id));
  if (data === undefined) {
    if (error === null) return <LoadingRows rows={3} what="the action" />;
    return <ErrorState title="The action could not be read." code={shownFault(error).code} action={<Button small onClick={() => void refetch()}>Read again</Button>}>{shownFault(error).detail}</ErrorState>;
  }
  return (
    <>
      <Section title="What would run, once it is decided">
        {data.arguments === null ? <p className="meta2">A part of it was erased, so it can never run.</p>
          : data.arguments.length === 0 ? <p className="meta2">The action has no arguments.</p>
            : <ArgumentTable caption="Arguments, their values and where each was first seen" args={data.arguments.map(shownArgument)} />}
      </Section>
      <Section title="Original request">
        {data.requests.length === 0 ? <p className="meta2">No request was recorded.</p>
          : data.requests.map((words, index) => <PersonQuote key={index} by={human} note={index === 0 ? 'original request' : 'later message'} text={words} />)}
        {data.agent_reason === null ? null : <UnverifiedQuote by={`${agent}’s stated reason`} text={data.agent_reason} />}
      </Section>
    </>
  );
}

const shownArgument = ({ path, value, source, where }: HeldArgument) => ({
  name: path,
  value: typeof value === 'string' ? value : canonicalJson(value),
  origin: source,
  detail: source === 'nowhere' ? 'the agent made it up' : where === undefined || where === source ? undefined : <UntrustedText text={where} />,
});
