import { expect, test } from 'vitest';

import type { DomainEvent, EventBus } from '@/lib/ports/event-bus';
import type { Transactor } from '@/lib/ports/transaction';

export type EventFixture = { readonly transactor: Transactor; readonly events: EventBus; readonly elsewhere: EventBus };

const changed = (id: string): DomainEvent => ({ kind: 'action_changed', id });

/** A subscriber that keeps what it hears; `next` waits for one more event, `ready` for the beginning of listening. */
export function listen(bus: EventBus) {
  const heard: DomainEvent[] = [];
  const waiting: (() => void)[] = [];
  let lost = 0;
  const begun: (() => void)[] = [];
  const stop = bus.subscribe(
    (event) => {
      heard.push(event);
      for (const wake of waiting.splice(0)) wake();
    },
    () => {
      lost++;
      for (const wake of begun.splice(0)) wake();
    },
  );
  return {
    heard,
    stop,
    lost: () => lost,
    until: async (count: number) => {
      while (heard.length < count) await new Promise<void>((resolve) => waiting.push(resolve));
    },
    /** Until listening has begun this often. */
    begun: async (count: number) => {
      while (lost < count) await new Promise<void>((resolve) => begun.push(resolve));
    },
  };
}

export function eventConformance(open: () => EventFixture): void {
  test('events are heard everywhere after the commit, in order, and not when it was rolled back', async () => {
    const { transactor, events, elsewhere } = open();
    const [here, there] = [listen(events), listen(elsewhere)];
    await Promise.all([here.begun(1), there.begun(1)]);
    await expect(
      transactor.withHead(async (tx) => {
        await events.publish(tx, [changed('never')]);
        throw new Error('no');
      }),
    ).rejects.toThrow('no');
    await transactor.withHead((tx) => events.publish(tx, [changed('a'), { kind: 'log_grew', id: '4' }]));
    await Promise.all([here.until(2), there.until(2)]);
    expect(here.heard).toEqual([changed('a'), { kind: 'log_grew', id: '4' }]);
    expect(there.heard).toEqual(here.heard);
    here.stop();
    there.stop();
  });

  test('who has stopped hears nothing more, while others do', async () => {
    const { transactor, events } = open();
    const [gone, stays] = [listen(events), listen(events)];
    await stays.begun(1);
    gone.stop();
    await transactor.withHead((tx) => events.publish(tx, [changed('a')]));
    await stays.until(1);
    expect(gone.heard).toEqual([]);
    stays.stop();
  });
}
