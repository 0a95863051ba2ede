import { createHmac } from 'node:crypto';
import { z } from 'zod';

import type { CheckpointSink } from '@/lib/ports/checkpoint-sink';
import { canonicalJson } from '@/lib/shared/canonical-json';
import { timestampField } from '@/lib/shared/document-fields';
import { fail, ok, type Result } from '@/lib/shared/result';

import { postBytes, type PostFault } from './post-json';
import type { CheckpointWebhookSettings } from './signing-settings';
import { readIfThere, writeWhole } from './whole-file';

/** What came of the deliveries, kept outside the database: a restart neither forgets what arrived nor hurries after failures. */
type Delivered = { readonly note: string | null; readonly failures: number; readonly retry_at: string | null };

const document: z.ZodType<Delivered> = z.strictObject({ note: z.string().max(256 * 1024).nullable(), failures: z.int().min(0), retry_at: timestampField.nullable() });

/** Its name in the state directory. */
export const webhookStateFile = 'checkpoint-webhook.json';

const nothing: Delivered = { note: null, failures: 0, retry_at: null };
/** An answer is read no further than this: only its status counts. */
const answerBytes = 64 * 1024;
/** The first retry comes after this long, each later one after twice as long, up to the second. */
const [firstRetryMs, longestRetryMs] = [5000, 3_600_000];

/**
 * Posts checkpoints: the body is the signed note, as text. With a secret, `x-countersign-signature` is `sha256=` and the HMAC of the
 * body in hex. Any 2xx means that it arrived; a redirect is not followed, so the note and its HMAC go nowhere else.
 */
export function checkpointWebhook({ address, secret }: CheckpointWebhookSettings, stateFile: string): CheckpointSink {
  const read = (): Promise<Result<Delivered>> => readDelivered(stateFile);
  const keep = (delivered: Delivered): Promise<void> => writeWhole(stateFile, canonicalJson({ ...delivered }), 0o600);

  return {
    name: 'webhook',
    newest: () => deliveredCheckpoint(stateFile),
    take: async (note, nowMs, final) => {
      const before = await read();
      if (!before.ok) return before;
      const { failures, retry_at } = before.value;
      if (!final && retry_at !== null && nowMs < Date.parse(retry_at)) return ok({ kind: 'later', at: Date.parse(retry_at) });
      const body = Buffer.from(note);
      const headers = {
        'content-type': 'text/plain; charset=utf-8',
        ...(secret === undefined ? {} : { 'x-countersign-signature': `sha256=${createHmac('sha256', secret).update(body).digest('hex')}` }),
      };
      const posted = await postBytes({ ...address, token: undefined }, body, headers, answerBytes);
      if (!('fault' in posted) && posted.status >= 200 && posted.status < 300) {
        // A crash before this is written delivers the same note once more, which says nothing new.
        await keep({ note, failures: 0, retry_at: null });
        return ok({ kind: 'taken' });
      }
      const waitMs = Math.min(firstRetryMs * 2 ** Math.min(failures, 20), longestRetryMs);
      await keep({ ...before.value, failures: failures + 1, retry_at: new Date(nowMs + waitMs).toISOString() });
      return fail('unavailable', `The webhook ${'fault' in posted ? inWords[posted.fault] : `answered ${String(posted.status)}`}.`);
    },
  };
}

/** The newest signed note that is known to have arrived; null: none has. */
export async function deliveredCheckpoint(stateFile: string): Promise<Result<string | null>> {
  const delivered = await readDelivered(stateFile);
  return delivered.ok ? ok(delivered.value.note) : delivered;
}

async function readDelivered(stateFile: string): Promise<Result<Delivered>> {
  try {
    const text = await readIfThere(stateFile);
    if (text === undefined) return ok(nothing);
    return ok(document.parse(JSON.parse(text)));
  } catch (cause) {
    return fail('ledger_broken', 'What was delivered to the webhook is not known: its file in the state directory cannot be read.', {
      cause, fix: `Compare ${webhookStateFile} with what the webhook received, then remove it.`,
    });
  }
}

const inWords: Readonly<Record<PostFault, string>> = {
  not_allowed: 'is not at a public, encrypted address, and nobody allowed that',
  late: 'did not answer in time',
  unreachable: 'could not be reached',
  too_large: 'answered with too much',
};
