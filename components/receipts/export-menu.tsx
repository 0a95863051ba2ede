'use client';

import { useState } from 'react';

import { Button } from '@/components/ui/button';
import { Dialog } from '@/components/ui/dialog';
import { Field, Input } from '@/components/ui/field';
import { Icon } from '@/components/ui/icon';
import { searchText } from '@/lib/client/search-text';

/** A bundle that anybody checks without this server: receipts, proofs, roots, policies, and the content they point at. */
export function ExportMenu({ session }: { readonly session: string | null }) {
  const [open, setOpen] = useState(false);
  const [from, setFrom] = useState('');
  const [to, setTo] = useState('');
  const [withhold, setWithhold] = useState(false);
  const href = `/api/receipts/export?${searchText({ from: from || undefined, to: to || undefined, session: session ?? undefined, withhold })}`;
  return (
    <>
      <Button small onClick={() => setOpen(true)} icon={<Icon name="export" small />}>Export a bundle</Button>
      <Dialog
        open={open}
        onOpenChange={setOpen}
        title="Export a bundle"
        description={session === null ? 'One file with everything needed to check these receipts offline. The export gets a receipt too.' : 'The receipts of this session, with everything needed to check them offline.'}
        footer={<><Button onClick={() => setOpen(false)}>Back <kbd>Esc</kbd></Button><a className="btn btn-primary" href={href} download onClick={() => setOpen(false)}>Export</a></>}
      >
        <Field label="From receipt" hint="Empty: from the first.">{(control) => <Input {...control} inputMode="numeric" pattern="[0-9]*" value={from} onChange={(event) => setFrom(event.target.value.replace(/\D/g, ''))} />}</Field>
        <Field label="To receipt" hint="Empty: to the newest.">{(control) => <Input {...control} inputMode="numeric" pattern="[0-9]*" value={to} onChange={(event) => setTo(event.target.value.replace(/\D/g, ''))} />}</Field>
        <label className="mt-5 flex gap-3"><input className="check" type="checkbox" checked={withhold} onChange={(event) => setWithhold(event.target.checked)} /><span>Withhold content. Receipts verify alike; decisions then can’t be re-derived.</span></label>
      </Dialog>
    </>
  );
}
