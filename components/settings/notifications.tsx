'use client';

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';

import { sendTestNotice } from '@/app/actions/notices';
import { Band } from '@/components/ui/band';
import { Button } from '@/components/ui/button';
import { ErrorState, LoadingRows } from '@/components/ui/pane-states';
import { Section } from '@/components/ui/section';
import { Time } from '@/components/ui/time';
import { actionValue } from '@/lib/client/action-fault';
import { channelWords } from '@/lib/client/channel-words';
import { shownFault } from '@/lib/client/parse-answer';
import { noticesQuery } from '@/lib/client/queries';
import { queryKeys } from '@/lib/client/query-keys';
import type { Channel, ChannelState } from '@/lib/contracts/console/notices';

/** Where people are told of held requests, and whether it arrives. What is configured stands in the environment, so no session can point it elsewhere. */
export function Notifications() {
  const client = useQueryClient();
  const { data, error } = useQuery(noticesQuery());
  const testing = useMutation({
    mutationFn: async (channel: Channel) => actionValue(await sendTestNotice({ channel })),
    onSettled: () => client.invalidateQueries({ queryKey: queryKeys.notices }),
  });
  return (
    <Section title="Notifications" note="of held requests, as the environment configures them">
      {error === null ? null : <ErrorState title="The notifications could not be read." code={shownFault(error).code}>{shownFault(error).detail}</ErrorState>}
      {data === undefined ? (error === null ? <LoadingRows what="notifications" rows={2} /> : null) : data.channels.length === 0 ? (
        <p className="meta2">None: nobody is told of held requests outside the console. <code>.env.example</code> lists what to set: <code>NOTIFY_WEBHOOK_URL</code> and <code>NOTIFY_SLACK_URL</code>.</p>
      ) : (
        <ul className="findings">
          {data.channels.map((state) => (
            <li key={state.channel}>
              <b>{channelWords[state.channel]}</b>
              <Going state={state} />
              <span><Button small offBecause={testing.isPending ? 'Sending' : undefined} onClick={() => testing.mutate(state.channel)} aria-label={`Send a test by ${channelWords[state.channel]}`}>Send a test</Button></span>
            </li>
          ))}
        </ul>
      )}
      {testing.error === null ? null : <Band tone="deny" icon="stale" role="alert" title="No test was sent.">{shownFault(testing.error).detail}</Band>}
    </Section>
  );
}

function Going({ state: { failing, last_sent_at, waiting, given_up } }: { readonly state: ChannelState }) {
  return (
    <span>
      {failing === null
        ? last_sent_at === null ? 'Nothing was sent yet.' : <>Last arrived <Time at={last_sent_at} />.</>
        : <><b className="bad">Failing since <Time at={failing.since} form="date" />.</b> {failing.fault}</>}
      {waiting === 0 ? null : ` ${String(waiting)} waiting.`}
      {given_up === 0 ? null : ` ${String(given_up)} given up.`}
    </span>
  );
}
