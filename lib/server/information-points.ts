import { readFile } from 'node:fs/promises';
import { z } from 'zod';

import type { InformationPoints } from '@/lib/ports/information-point';
import { nobodyToAsk } from '@/lib/ports/information-point';

import { askOverHttp } from './ask-over-http';
import type { ServiceAddress } from './post-json';

/** Seconds between attempts: soon, for what was a hiccup, and then late enough for a restart. */
const pausesS = [5, 30];

const document = z.record(
  z.string().regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/),
  z.strictObject({
    url: z.url({ protocol: /^https?$/ }),
    /** Sent as a bearer token. */
    token: z.string().min(1).max(4096).optional(),
    /** It may lie on this machine or an inner network, and speak plain HTTP. */
    allow_private: z.boolean().default(false),
    deadline_ms: z.int().min(100).max(10_000).default(5000),
  }),
);

/**
 * The information points that this process can ask, from the file that the setting names: `{ "records": { "url": "https://…" } }`. An
 * address makes nobody believed; that is the roster's and the policy's to say. Throws when the file cannot be read as that: a plane
 * with half a configuration must not start.
 */
export async function informationPoints(file: string | undefined): Promise<InformationPoints> {
  if (file === undefined) return nobodyToAsk;
  const parsed = document.safeParse(JSON.parse(await readFile(file, 'utf8')));
  if (!parsed.success) throw new Error(`INFORMATION_POINTS: ${file} cannot be used: ${parsed.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join('; ')}`);
  const addresses = new Map(
    Object.entries(parsed.data).map(([name, { url, token, allow_private, deadline_ms }]): [string, ServiceAddress] => [
      `ip:${name}`,
      { url: new URL(url), token, allowInner: allow_private, deadlineMs: deadline_ms },
    ]),
  );
  return {
    sources: new Set(addresses.keys()),
    pausesS,
    ask: async (question) => {
      const address = addresses.get(question.source);
      return address ? await askOverHttp(address, question) : await nobodyToAsk.ask(question);
    },
  };
}
