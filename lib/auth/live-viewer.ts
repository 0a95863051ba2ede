import type { Viewer } from '@/lib/contracts/console/viewer';
import type { ConsoleParts } from '@/lib/services/console/console-parts';

import { livePerson } from './live-person';
import { viewerOf } from './viewer-of';

/** What a session's cookie claims. */
export type SessionClaims = Parameters<typeof livePerson>[1];

/** Whom the claims stand for, with what the roster of now gives them; undefined: the session no longer counts. */
export async function liveViewer({ people, reads, inForce }: Pick<ConsoleParts, 'people' | 'reads' | 'inForce'>, claims: SessionClaims): Promise<Viewer | undefined> {
  const [person, now] = await Promise.all([livePerson(people, claims, await reads.now()), inForce.current()]);
  return person && viewerOf(person, now);
}
