'use client';

import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useId, useState } from 'react';

import { saveView } from '@/app/actions/saved-views';
import { Band } from '@/components/ui/band';
import { Button } from '@/components/ui/button';
import { Dialog } from '@/components/ui/dialog';
import { Field, Input } from '@/components/ui/field';
import { actionValue, refusalOf } from '@/lib/client/action-fault';
import { queryKeys } from '@/lib/client/query-keys';
import type { ReceiptFilters } from '@/lib/contracts/console/receipt-filters';

import { filterSentence } from './filter-words';

/** Gives the filters that are on a name. */
export function SaveViewDialog({ filters, onClose }: { readonly filters: ReceiptFilters; readonly onClose: () => void }) {
  const client = useQueryClient();
  const form = useId();
  const [name, setName] = useState('');
  const saving = useMutation({
    mutationFn: async () => actionValue(await saveView({ name: name.trim(), filters })),
    onSettled: () => client.invalidateQueries({ queryKey: queryKeys.savedViews }),
    onSuccess: onClose,
  });
  const fault = refusalOf(saving.error);
  return (
    <Dialog
      open busy={saving.isPending} title="Save this view" description="Only you see it. It keeps the filters, not the receipts."
      onOpenChange={(open) => { if (!open) onClose(); }}
      footer={<><Button onClick={onClose}>Back <kbd>Esc</kbd></Button><Button kind="primary" type="submit" form={form} gatedBy={name.trim() === '' ? 'Name it' : undefined} offBecause={saving.isPending ? 'Saving' : undefined}>Save the view</Button></>}
    >
      <form id={form} onSubmit={(event) => { event.preventDefault(); if (!saving.isPending && name.trim() !== '') saving.mutate(); }}>
        <p className="meta2">It shows receipts by {filterSentence(filters)}.</p>
        <Field label="Name" error={fault?.code === 'conflict' ? `${fault.detail} ${fault.fix ?? ''}` : undefined}>{(control) => <Input {...control} maxLength={60} autoComplete="off" value={name} onChange={(event) => setName(event.target.value)} />}</Field>
        {fault === null || fault.code === 'conflict' ? null : <Band tone="deny" icon="stale" role="alert" title={`${fault.title}.`}>{fault.detail} Nothing was saved. {fault.fix}</Band>}
      </form>
    </Dialog>
  );
}
