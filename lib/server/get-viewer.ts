import { cache } from 'react';
import { getServerSession } from 'next-auth';

import { liveViewer, type SessionClaims } from '@/lib/auth/live-viewer';
import type { Viewer } from '@/lib/contracts/console/viewer';

import { consoleRuntime } from './console-runtime';

/** What the request's cookie claims; null when it has none. */
export const getClaims: () => Promise<SessionClaims | null> = cache(async () => {
  const claims = await getServerSession((await consoleRuntime()).auth);
  return claims?.person === undefined ? null : claims;
});

/**
 * Who looks, from the session's cookie; null when there is no session that counts. Asked once per request. Throws when that cannot be
 * told: a database that does not answer says nothing about a session.
 */
export const getViewer: () => Promise<Viewer | null> = cache(async () => {
  const claims = await getClaims();
  return (claims && (await liveViewer((await consoleRuntime()).parts, claims))) ?? null;
});
