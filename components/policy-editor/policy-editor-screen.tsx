'use client';

import { useQuery, useQueryClient } from '@tanstack/react-query';
import dynamic from 'next/dynamic';
import { useEffect } from 'react';

import { Button } from '@/components/ui/button';
import { ErrorState, LoadingRows } from '@/components/ui/pane-states';
import { shownFault } from '@/lib/client/parse-answer';
import { policyEditorQuery } from '@/lib/client/queries';
import { queryKeys } from '@/lib/client/query-keys';
import type { PersonId } from '@/lib/shared/ids';

/** Apart from everything else: nobody who only looks at policies loads an editor. */
const EditorDesk = dynamic(() => import('./editor-desk'), { ssr: false, loading: () => <main className="desk-wait" id="content"><LoadingRows what="the editor" rows={12} /></main> });

/** A person's draft of the next policy. */
export function PolicyEditorScreen({ person }: { readonly person: PersonId }) {
  const client = useQueryClient();
  const { data, error, refetch } = useQuery(policyEditorQuery());
  // What was read once is old when the page is opened again.
  useEffect(() => () => client.removeQueries({ queryKey: queryKeys.policyEditor }), [client]);
  if (data !== undefined) return <EditorDesk view={data} person={person} />;
  if (error === null) return <main className="desk-wait" id="content"><LoadingRows what="your draft" rows={12} /></main>;
  const fault = shownFault(error);
  return <main className="desk-wait" id="content"><ErrorState title="Your draft could not be read." code={fault.code} action={<Button small onClick={() => void refetch()}>Read again</Button>}>{fault.detail}</ErrorState></main>;
}
