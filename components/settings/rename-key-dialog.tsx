'use client';

import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useId, useState } from 'react';

import { renameKey } from '@/app/actions/keys';
import { Band } from '@/components/ui/band';
import { Button } from '@/components/ui/button';
import { Dialog } from '@/components/ui/dialog';
import { Field, Input } from '@/components/ui/field';
import { actionValue, refusalOf } from '@/lib/client/action-fault';
import { queryKeys } from '@/lib/client/query-keys';

import type { OwnKey } from './key-table';

/** A name by which one knows one's own key. */
export function RenameKeyDialog({ of, onClose }: { readonly of: OwnKey; readonly onClose: () => void }) {
  const form = useId();
  const client = useQueryClient();
  const [label, setLabel] = useState(of.label ?? '');
  const renaming = useMutation({
    mutationFn: async () => actionValue(await renameKey({ key: of.id, label })),
    onSuccess: async () => { await client.invalidateQueries({ queryKey: queryKeys.ownKeys }); onClose(); },
  });
  const fault = refusalOf(renaming.error);
  return (
    <Dialog
      open busy={renaming.isPending} title="Name this key" description="Only you see the name. It changes nothing that the key may do."
      onOpenChange={(open) => { if (!open) onClose(); }}
      footer={<><Button onClick={onClose}>Back <kbd>Esc</kbd></Button><Button kind="primary" type="submit" form={form} gatedBy={label.trim() === '' ? 'Name needed' : undefined} offBecause={renaming.isPending ? 'Saving' : undefined}>Save the name</Button></>}
    >
      <form id={form} onSubmit={(event) => { event.preventDefault(); if (label.trim() !== '' && !renaming.isPending) renaming.mutate(); }}>
        <Field label="Name" hint="Such as the device that holds it.">{(control) => <Input {...control} maxLength={80} value={label} onChange={(event) => setLabel(event.target.value)} />}</Field>
      </form>
      {fault === null ? null : <Band tone="deny" icon="stale" role="alert" title={`${fault.title}.`}>{fault.detail} The name is unchanged. {fault.fix}</Band>}
    </Dialog>
  );
}
