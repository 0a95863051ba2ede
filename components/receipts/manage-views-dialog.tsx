'use client';

import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';

import { deleteView, renameView } from '@/app/actions/saved-views';
import { Band } from '@/components/ui/band';
import { Button } from '@/components/ui/button';
import { Dialog } from '@/components/ui/dialog';
import { Input } from '@/components/ui/field';
import { actionValue, refusalOf } from '@/lib/client/action-fault';
import { queryKeys } from '@/lib/client/query-keys';
import type { SavedView } from '@/lib/contracts/console/saved-views';

import { filterSentence } from './filter-words';

/** The person's own views, to rename or delete. */
export function ManageViewsDialog({ views, onClose }: { readonly views: readonly SavedView[]; readonly onClose: () => void }) {
  return (
    <Dialog
      open title="Your views" description="Deleting one deletes no receipt."
      onOpenChange={(open) => { if (!open) onClose(); }}
      footer={<Button onClick={onClose}>Back <kbd>Esc</kbd></Button>}
    >
      {views.length === 0 ? <p className="meta2">You have saved none.</p> : <ul className="own-views">{views.map((view) => <OwnView key={view.id} view={view} />)}</ul>}
    </Dialog>
  );
}

function OwnView({ view }: { readonly view: SavedView }) {
  const client = useQueryClient();
  const [name, setName] = useState(view.name);
  const changing = useMutation({
    mutationFn: async (change: 'rename' | 'delete') => actionValue(change === 'rename' ? await renameView({ view: view.id, name: name.trim() }) : await deleteView({ view: view.id })),
    onSettled: () => client.invalidateQueries({ queryKey: queryKeys.savedViews }),
  });
  const fault = refusalOf(changing.error);
  const renamed = name.trim() !== '' && name.trim() !== view.name;
  return (
    <li>
      <form className="flex flex-wrap items-center gap-3" onSubmit={(event) => { event.preventDefault(); if (renamed && !changing.isPending) changing.mutate('rename'); }}>
        <Input className="grow" aria-label={`Name of the view ${view.name}`} maxLength={60} value={name} onChange={(event) => setName(event.target.value)} />
        <Button small type="submit" gatedBy={renamed ? undefined : 'Named so'} offBecause={changing.isPending ? 'Saving' : undefined}>Rename</Button>
        <Button small kind="deny" aria-label={`Delete the view ${view.name}`} onClick={() => changing.mutate('delete')}>Delete</Button>
      </form>
      <p className="meta">{view.filters === null ? 'This version can’t read its filters.' : filterSentence(view.filters)}</p>
      {fault === null ? null : <Band tone="deny" icon="stale" role="alert" title={`${fault.title}.`}>{fault.detail} {fault.fix}</Band>}
    </li>
  );
}
