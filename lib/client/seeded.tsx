import { dehydrate, HydrationBoundary, QueryClient, type QueryKey } from '@tanstack/react-query';
import type { ReactNode } from 'react';

import type { Result } from '@/lib/shared/result';

/** What a page has read on the server, under the key that the browser goes on with. */
export type Seed = { readonly key: QueryKey; readonly read: Result<unknown> };

/** Hands the server's reads on. A read that failed is left out: the browser asks again, and shows why when it fails there too. */
export function Seeded({ seeds, children }: { readonly seeds: readonly Seed[]; readonly children: ReactNode }) {
  const client = new QueryClient();
  for (const { key, read } of seeds) if (read.ok) client.setQueryData(key, read.value);
  return <HydrationBoundary state={dehydrate(client)}>{children}</HydrationBoundary>;
}
