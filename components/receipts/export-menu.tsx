'use client';

import { useState } from 'react';

import { Button } from '@/components/ui/button';
import { Dialog } from '@/components/ui/dialog';
import { Field, Input, Select } from '@/components/ui/field';
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

type Format = 'bundle' | 'html' | 'table';
const withholdings = ['nothing', 'sensitive', 'all'] as const;
type Withheld = (typeof withholdings)[number];

/** What can be taken out: a bundle that anybody checks without this server, the same as a page that verifies itself, or a table of what is shown. */
export function ExportMenu({ filters, matching }: ExportMenuProps) {
  const [open, setOpen] = useState(false);
  const [format, setFormat] = useState<Format>('bundle');
  const [from, setFrom] = useState('');
  const [to, setTo] = useState('');
  const [withheld, setWithheld] = useState<Withheld>('nothing');
  const { session, action } = filters;
  const whole = session === undefined && action === undefined;
  const over = format === 'table' && matching !== null && matching.value > mostCsvRows;
  const href = format === 'table'
    ? `/api/receipts/csv?${searchText(filters)}`
    : `/api/receipts/export?${searchText({
      format, case: action, session: action === undefined ? session : undefined, from: whole && from !== '' ? from : undefined, to: whole && to !== '' ? to : undefined,
      withhold: withheld === 'all' || undefined, withhold_sensitive: withheld === 'sensitive' || undefined,
    })}`;
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
          <Choice checked={format === 'html'} onPick={() => setFormat('html')} title="Report, HTML" what="One page that people read, with the bundle in it. Opened from a disk it verifies itself, without a network." />
          <Choice checked={format === 'table'} onPick={() => setFormat('table')} title="Table, CSV" what="One line a receipt, for a spreadsheet. A table proves nothing; its leaf hashes lead back to the bundle." />
        </fieldset>
        {format === 'table' ? (
          <p className="meta2 mt-5">
            {shownFilters(filters).length === 0 ? 'Every receipt' : `Receipts by ${filterSentence(filters)}`}{matching === null ? '' : `: ${countWords(matching)}`}.
            {over ? ` One table holds at most ${mostCsvRows.toLocaleString('en')}: choose a shorter time, or take a bundle.` : ''}
          </p>
        ) : whole ? (
          <div className="filter-form">
            <Field label="From receipt" hint="Empty: from the first.">{(control) => <Input {...control} inputMode="numeric" pattern="[0-9]*" value={from} onChange={(event) => setFrom(event.target.value.replace(/\D/g, ''))} />}</Field>
            <Field label="Before receipt" hint="Empty: to the newest that a checkpoint covers.">{(control) => <Input {...control} inputMode="numeric" pattern="[0-9]*" value={to} onChange={(event) => setTo(event.target.value.replace(/\D/g, ''))} />}</Field>
          </div>
        ) : <p className="meta2 mt-5">{action === undefined ? <>The receipts of session <code>{session}</code> and of its actions.</> : <>The case of action <code>{action}</code>: all of its receipts.</>}</p>}
        {format === 'table' ? null : (
          <Field label="Withhold" hint="Receipts verify alike. What is withheld can’t be re-derived.">
            {(control) => (
              <Select {...control} value={withheld} onChange={(event) => setWithheld(withholdings.find((one) => one === event.target.value) ?? 'nothing')}>
                <option value="nothing">Nothing</option>
                <option value="sensitive">Sensitive arguments</option>
                <option value="all">All content</option>
              </Select>
            )}
          </Field>
        )}
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
