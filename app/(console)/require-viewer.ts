import { headers } from 'next/headers';
import { redirect } from 'next/navigation';

import type { Viewer } from '@/lib/contracts/console/viewer';
import { getViewer } from '@/lib/server/get-viewer';

/** Who looks; somebody without a session is sent to sign in, and comes back here afterwards. */
export async function requireViewer(): Promise<Viewer> {
  const viewer = await getViewer();
  if (viewer) return viewer;
  const path = (await headers()).get('x-path') ?? '/';
  redirect(path === '/' ? '/sign-in' : `/sign-in?next=${encodeURIComponent(path)}`);
}
