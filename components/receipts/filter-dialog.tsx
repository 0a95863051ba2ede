'use client';

import { useState } from 'react';

import { Button } from '@/components/ui/button';
import { Dialog } from '@/components/ui/dialog';
import { Field, Input } from '@/components/ui/field';
import type { ReceiptsUrlState } from '@/lib/client/receipts-url';

import { draftOf, fieldsOffered, readDraft, type FilterDraft } from './filter-draft';

/** Every exact filter in one form. What does not fit is said at its field, and nothing is applied until all of it fits. */
export function FilterDialog({ url, onChange }: { readonly url: ReceiptsUrlState; readonly onChange: (part: Partial<ReceiptsUrlState>) => void }) {
  const [draft, setDraft] = useState<FilterDraft | null>(null);
  const read = draft === null ? null : readDraft(draft);
  const apply = () => {
    if (read === null || !read.ok) return;
    onChange(read.value);
    setDraft(null);
  };
  return (
    <>
      <Button small onClick={() => setDraft(draftOf(url))}>More filters</Button>
      <Dialog
        open={draft !== null}
        onOpenChange={(open) => { if (!open) setDraft(null); }}
        title="Filter receipts"
        description="All that is filled in must hold. Exact values; times are UTC."
        footer={<><Button onClick={() => setDraft(null)}>Back <kbd>Esc</kbd></Button><Button kind="primary" type="submit" form="filter-form" gatedBy={read?.ok === false ? 'Not all of it fits' : undefined}>Filter</Button></>}
      >
        <form id="filter-form" className="filter-form" onSubmit={(event) => { event.preventDefault(); apply(); }}>
          {draft === null ? null : fieldsOffered.map(({ name, label, hint, type }) => (
            <Field key={name} label={label} hint={hint} error={read?.ok === false ? read.errors[name] : undefined}>
              {(control) => <Input {...control} type={type} step={1} spellCheck={false} autoComplete="off" value={draft[name]} onChange={(event) => setDraft({ ...draft, [name]: event.target.value })} />}
            </Field>
          ))}
        </form>
      </Dialog>
    </>
  );
}
