import type { ReactNode } from 'react';

import { ConsoleFrame } from '@/components/console/console-frame';
import { LiveProvider } from '@/lib/client/live-provider';
import { queryKeys } from '@/lib/client/query-keys';
import { Seeded } from '@/lib/client/seeded';
import { readStatus } from '@/lib/server/reads/console-status';

import { requireViewer } from './require-viewer';

export default async function ConsoleLayout({ children }: { readonly children: ReactNode }) {
  const viewer = await requireViewer();
  return (
    <Seeded seeds={[{ key: queryKeys.status, read: await readStatus() }]}>
      <LiveProvider>
        <ConsoleFrame viewer={viewer}>{children}</ConsoleFrame>
      </LiveProvider>
    </Seeded>
  );
}
