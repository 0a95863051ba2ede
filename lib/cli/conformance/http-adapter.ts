import { AdapterGone, type Adapter } from './adapter';
import { readReply } from './read-reply';

/** Long enough for a system that lets the time of a case really pass. */
export const answerMs = 60_000;

/** A system behind `POST <base>/<call>`, with the call as its JSON body. */
export function httpAdapter(base: string): Adapter {
  const url = base.replace(/\/+$/, '');
  return {
    name: url,
    settleMs: 1500,
    ask: async (call) => {
      const response = await fetch(`${url}/${call.call}`, {
        method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(call), signal: AbortSignal.timeout(answerMs),
      }).catch((cause: unknown) => {
        throw new AdapterGone(`Nothing answers at ${url}.`, { cause });
      });
      const text = await response.text();
      if (!response.ok) throw new Error(`The adapter answered ${String(response.status)} to ${call.call}.`);
      return readReply(text);
    },
    close: () => Promise.resolve(),
  };
}
