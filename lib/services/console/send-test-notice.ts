import type { Channel } from '@/lib/contracts/console/notices';
import type { Viewer } from '@/lib/contracts/console/viewer';
import { fail, ok, type Result } from '@/lib/shared/result';

import type { ConsoleParts } from './console-parts';

/** Puts a message that says nothing into the queue of a channel; an e-mail goes to whoever asks. Failures: `not_found`. */
export async function sendTestNotice(parts: Pick<ConsoleParts, 'channels' | 'ids' | 'notices'>, viewer: Pick<Viewer, 'person'>, channel: Channel): Promise<Result<{ readonly channel: Channel }>> {
  if (!parts.channels.includes(channel)) return fail('not_found', 'Nothing is configured to be told by that.', { fix: 'Set NOTIFY_… and start the console again.' });
  await parts.notices.put([{ channel, recipient: channel === 'email' ? viewer.person : null, id: parts.ids.token('test'), kind: 'test', approval: null }]);
  return ok({ channel });
}
