import type { DomainEvent, EventBus } from '@/lib/ports/event-bus';

import { channelListener, type Connect } from './channel-listener';
import { transactionOf } from './open-transaction';
import { statement, touched } from './statements';

const notify = statement('publish_events', `SELECT pg_notify($1, p) FROM unnest($2::text[]) AS p`);

const kinds: Readonly<Record<DomainEvent['kind'], true>> = {
  action_changed: true,
  approval_changed: true,
  session_changed: true,
  proposal_changed: true,
  epoch_raised: true,
  log_grew: true,
  sessions_ended: true,
};

/** NOTIFY and LISTEN: the server hands events out when the transaction commits, and drops them with it otherwise. */
export function postgresEventBus(workspace: string, connect: Connect, askMs?: number): EventBus {
  const channel = `countersign_${workspace}`;
  const listeners = new Set<{ readonly hear: (event: DomainEvent) => void; readonly lost: () => void }>();
  const listener = channelListener(channel, connect, {
    hear: (payload) => {
      const event = parseEvent(payload);
      for (const { hear } of event ? listeners : []) if (event) hear(event);
    },
    listening: () => {
      for (const { lost } of listeners) lost();
    },
  }, askMs);
  return {
    publish: async (tx, events) => {
      if (events.length === 0) return;
      await touched(transactionOf(tx).client, notify, [channel, events.map(({ kind, id }) => `${kind}:${id}`)]);
    },
    subscribe: (hear, lost) => {
      const entry = { hear, lost };
      listeners.add(entry);
      if (listeners.size === 1) listener.start();
      return () => {
        if (listeners.delete(entry) && listeners.size === 0) listener.stop();
      };
    },
  };
}

/** A payload that is not ours says nothing: anyone who may connect can notify. */
function parseEvent(payload: string): DomainEvent | undefined {
  const colon = payload.indexOf(':');
  const kind = payload.slice(0, colon);
  return Object.hasOwn(kinds, kind) ? { kind: kind as DomainEvent['kind'], id: payload.slice(colon + 1) } : undefined;
}

