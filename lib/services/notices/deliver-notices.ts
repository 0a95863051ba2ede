import type { Channel } from '@/lib/contracts/console/notices';
import type { ClaimedPlace } from '@/lib/ports/notice-store';
import type { Notifier } from '@/lib/ports/notifier';

import { canBeTold, messagesOf } from './messages-of';
import type { NoticeParts } from './notice-parts';
import { noticeText } from './notice-text';

/** Notices that are spread in one round, and places that are delivered to at a time. */
const batch = 100;
const atOnce = 4;
/** What goes to one place in a span, at most; where more waits, one message says how many. */
const mostInSpan: { readonly [C in Channel]: number } = { webhook: 60, slack: 20, email: 5 };
const spanMs: { readonly [C in Channel]: number } = { webhook: 60_000, slack: 60_000, email: 600_000 };
/** After a failure nothing goes to the place for this long, after each further one for twice as long, up to the second. */
const [firstWaitMs, longestWaitMs] = [5_000, 900_000];

/**
 * One round: makes messages of what was written with requests, and delivers what is due. Any number of processes may do it side by side. A message that
 * cannot be delivered is tried a dozen times, an hour and a half in all, and then given up.
 */
export async function deliverNotices(parts: NoticeParts): Promise<void> {
  if (parts.notifiers.length === 0) return;
  for (const notice of await parts.notices.written(batch)) await parts.notices.spread(notice, await messagesOf(parts, notice));
  await Promise.all(Array.from({ length: atOnce }, () => deliverWhatIsDue(parts)));
}

async function deliverWhatIsDue(parts: NoticeParts): Promise<void> {
  const among = parts.notifiers.map(({ channel }) => channel);
  for (;;) {
    const worker = parts.ids.token('worker');
    const place = await parts.notices.claim(worker, among, spanMs);
    const notifier = parts.notifiers.find(({ channel }) => channel === place?.channel);
    if (!place || !notifier) return;
    // What is thrown here leaves the lease behind: the place is tried again when it is over.
    await deliverTo(parts, place, notifier, worker);
  }
}

async function deliverTo(parts: NoticeParts, place: ClaimedPlace, notifier: Notifier, worker: string): Promise<void> {
  const { notices } = parts;
  const address = place.recipient === null ? null : await addressOf(parts, place.recipient);
  if (address === undefined) return await notices.removePlace(place);
  const givenUp = await notices.tidy(place);
  if (givenUp > 0) parts.report({ kind: 'given_up', at: place, count: givenUp });
  const room = mostInSpan[place.channel] - place.sent;
  if (room <= 0) return await notices.release(place, worker, spanMs[place.channel]);
  let waiting = await notices.waiting(place, room + 1);
  if (waiting.length > room) {
    await notices.gather(place, parts.ids.token('more'));
    waiting = await notices.waiting(place, 1);
  }
  let { failures } = place;
  for (const message of waiting) {
    // Lost: this process stood still for longer than the lease, and another one goes on.
    if (!(await notices.renew(place, worker))) return;
    const sent = await notifier.send(await noticeText(parts, message), address);
    if (!sent.ok) {
      await notices.failed(place, message.id, sent.error.detail, Math.min(firstWaitMs * 2 ** Math.min(failures, 20), longestWaitMs));
      if (failures === 0) parts.report({ kind: 'failing', at: place, fault: sent.error.detail });
      break;
    }
    // A crash before this is written delivers the message once more, under the same id.
    await notices.arrived(place, message.id);
    if (failures > 0) parts.report({ kind: 'working_again', at: place });
    failures = 0;
  }
  await notices.release(place, worker);
}

/** As the signed roster says; undefined: nobody who is to be told anything. */
async function addressOf({ inForce }: NoticeParts, recipient: string): Promise<string | undefined> {
  const now = await inForce.current();
  const person = now.roster?.roster.people.find(({ id }) => id === recipient);
  return person && canBeTold(person, now) ? person.email : undefined;
}
