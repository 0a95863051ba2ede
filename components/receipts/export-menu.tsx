'use client';

import { useState } from 'react';

import { Button } from '@/components/ui/button';
import { Dialog } from '@/components/ui/dialog';
import { Field, Input } from '@/components/ui/field';
import { Icon } from '@/components/ui/icon';
import { searchText } from '@/lib/client/search-text';
import type { ReceiptFilters } from '@/lib/contracts/console/receipt-filters';
import type { Counted } from '@/lib/contracts/console/receipts';
import { mostCsvRows } from '@/lib/contracts/console/receipts-csv';

import { countWords, filterSentence, shownFilters } from './filter-words';

interface ExportMenuProps {
  readonly filters: ReceiptFilters;
  readonly matching: Counted | null;
}

type Format = 'bundle' | 'table';

/** What can be taken out: a bundle that anybody checks without this server, or a table of what is shown. */
export function ExportMenu({ filters, matching }: ExportMenuProps) {
  const [open, setOpen] = useState(false);
  const [format, setFormat] = useState<Format>('bundle');
  const [from, setFrom] = useState('');
  const [to, setTo] = useState('');
  const [withhold, setWithhold] = useState(false);
  const { session } = filters;
  const over = format === 'table' && matching !== null && matching.value > mostCsvRows;
  const href = format === 'table'
    ? `/api/receipts/csv?${searchText(filters)}`
    : `/api/receipts/export?${searchText({ from: session === undefined && from !== '' ? from : undefined, to: session === undefined && to !== '' ? to : undefined, session, withhold })}`;
  return (
    <>
      <Button small onClick={() => setOpen(true)} icon={<Icon name="export" small />}>Export</Button>
      <Dialog
        open={open}
        onOpenChange={setOpen}
        title="Export receipts"
        description="One file. That it was made gets a receipt too."
        footer={<><Button onClick={() => setOpen(false)}>Back <kbd>Esc</kbd></Button>{over ? <Button kind="primary" gatedBy="Narrow the filters first" /> : <a className="btn btn-primary" href={href} download onClick={() => setOpen(false)}>Export</a>}</>}
      >
        <fieldset className="choices">
          <legend className="vh">Format</legend>
          <Choice checked={format === 'bundle'} onPick={() => setFormat('bundle')} title="Bundle, JSON" what="Receipts, proofs, roots, policies and content: everything with which countersign verify or the page /verify checks them offline." />
          <Choice checked={format === 'table'} onPick={() => setFormat('table')} title="Table, CSV" what="One line a receipt, for a spreadsheet. A table proves nothing; its leaf hashes lead back to the bundle." />
        </fieldset>
        {format === 'table' ? (
          <p className="meta2 mt-5">
            {shownFilters(filters).length === 0 ? 'Every receipt' : `Receipts by ${filterSentence(filters)}`}{matching === null ? '' : `: ${countWords(matching)}`}.
            {over ? ` One table holds at most ${mostCsvRows.toLocaleString('en')}: choose a shorter time, or take a bundle.` : ''}
          </p>
        ) : session === undefined ? (
          <div className="flex flex-wrap gap-5">
            <Field label="From receipt" hint="Empty: from the first.">{(control) => <Input {...control} inputMode="numeric" pattern="[0-9]*" value={from} onChange={(event) => setFrom(event.target.value.replace(/\D/g, ''))} />}</Field>
            <Field label="Up to, without" hint="Empty: to the newest that a checkpoint covers.">{(control) => <Input {...control} inputMode="numeric" pattern="[0-9]*" value={to} onChange={(event) => setTo(event.target.value.replace(/\D/g, ''))} />}</Field>
          </div>
        ) : <p className="meta2 mt-5">The receipts of session <code>{session}</code> and of its actions.</p>}
        {format === 'bundle' ? <label className="mt-5 flex gap-3"><input className="check" type="checkbox" checked={withhold} onChange={(event) => setWithhold(event.target.checked)} /><span>Withhold content. Receipts verify alike; decisions then can’t be re-derived.</span></label> : null}
      </Dialog>
    </>
  );
}

function Choice({ checked, onPick, title, what }: { readonly checked: boolean; readonly onPick: () => void; readonly title: string; readonly what: string }) {
  return (
    <label className="choice">
      <input type="radio" name="format" checked={checked} onChange={onPick} />
      <span><b>{title}</b><br /><span className="meta2">{what}</span></span>
    </label>
  );
}
