import type { ReactNode } from 'react';

import { ConsoleFrame } from '@/components/console/console-frame';
import { LiveProvider } from '@/lib/client/live-provider';
import { queueListQuery } from '@/lib/client/queries';
import { queryKeys } from '@/lib/client/query-keys';
import { Seeded, type Seed } from '@/lib/client/seeded';
import { waitingCount } from '@/lib/client/waiting-count';
import { readQueue } from '@/lib/server/reads/approvals';
import { readStatus } from '@/lib/server/reads/console-status';

import { requireViewer } from './require-viewer';

export default async function ConsoleLayout({ children }: { readonly children: ReactNode }) {
  const viewer = await requireViewer();
  const seeds: Seed[] = [{ key: queryKeys.status, read: await readStatus() }];
  // With the number from the start, no place of the navigation moves once it is known.
  if (viewer.permissions.some((permission) => permission === 'approvals.view_routed' || permission === 'approvals.view_all')) {
    seeds.push({ key: queueListQuery(waitingCount).queryKey, read: await readQueue(waitingCount) });
  }
  return (
    <Seeded seeds={seeds}>
      <LiveProvider>
        <ConsoleFrame viewer={viewer}>{children}</ConsoleFrame>
      </LiveProvider>
    </Seeded>
  );
}
