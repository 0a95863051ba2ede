import { cache } from 'react';
import { getServerSession } from 'next-auth';

import { viewerOf } from '@/lib/auth/viewer-of';
import type { Viewer } from '@/lib/contracts/console/viewer';
import { isId } from '@/lib/shared/ids';

import { consoleRuntime } from './console-runtime';

/** Who looks, from the session's cookie; null when there is no session that counts. Asked once per request. */
export const getViewer: () => Promise<Viewer | null> = cache(async () => {
  const { auth, parts } = await consoleRuntime();
  const session = await getServerSession(auth);
  const id = session?.person;
  if (id === undefined || !isId('person', id)) return null;
  const [person, inForce] = await Promise.all([parts.people.byId(id), parts.inForce.current()]);
  return (person && viewerOf(person, inForce)) ?? null;
});
