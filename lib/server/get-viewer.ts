import { cache } from 'react';
import { getServerSession } from 'next-auth';

import { livePerson } from '@/lib/auth/live-person';
import { viewerOf } from '@/lib/auth/viewer-of';
import type { Viewer } from '@/lib/contracts/console/viewer';

import { consoleRuntime } from './console-runtime';

/**
 * Who looks, from the session's cookie; null when there is no session that counts. Asked once per request. Throws when that cannot be
 * told: a database that does not answer says nothing about a session.
 */
export const getViewer: () => Promise<Viewer | null> = cache(async () => {
  const { auth, parts } = await consoleRuntime();
  const claims = await getServerSession(auth);
  if (claims?.person === undefined) return null;
  const [person, inForce] = await Promise.all([livePerson(parts.people, claims, await parts.reads.now()), parts.inForce.current()]);
  return (person && viewerOf(person, inForce)) ?? null;
});
