'use client';

import { useState } from 'react';

import { Section } from '@/components/ui/section';
import type { VerifierLink } from '@/lib/client/verifier-link';
import type { Checked } from '@/lib/client/verify-messages';

import { ActionsList } from './actions-list';
import { ReceiptsList } from './receipts-list';
import { ShownReceipt } from './shown-receipt';
import { counted } from './verdict-words';

interface ReceiptsBrowserProps {
  readonly link: VerifierLink;
  readonly checked: Checked;
  /** Tells checks apart, so that nothing of the file before is shown. */
  readonly run: number;
  readonly selected: number | null;
  readonly onSelect: (index: number | null) => void;
}

const views = [
  { id: 'actions', label: 'Actions' },
  { id: 'receipts', label: 'Receipts' },
] as const;

/** Everything in the file, page by page: what became of each action, and every receipt with its verdicts. */
export function ReceiptsBrowser({ link, checked, run, selected, onSelect }: ReceiptsBrowserProps) {
  const [view, setView] = useState<(typeof views)[number]['id']>('actions');
  // Without it nothing here is green: it all holds under keys that nobody vouches for.
  const issuerKnown = checked.verdict !== 'consistent_issuer_not_verified';
  const List = view === 'actions' ? ActionsList : ReceiptsList;
  return (
    <Section title="All that is in the file" note={`${counted(checked.actions, 'action')}, ${counted(checked.receipts, 'receipt')}`} className="browse">
      <div className="browse-tabs" role="group" aria-label="What to list">
        {views.map(({ id, label }) => <button key={id} type="button" className="btn btn-s" aria-pressed={view === id} onClick={() => setView(id)}>{label}</button>)}
      </div>
      <div className="browse-grid" data-issuer={issuerKnown ? 'known' : 'unknown'} data-drawer={selected === null ? 'closed' : 'open'}>
        <List link={link} run={run} selected={selected} onSelect={onSelect} />
        {selected === null ? null : <ShownReceipt key={`${run} ${selected}`} link={link} run={run} index={selected} issuerKnown={issuerKnown} onClose={() => onSelect(null)} onOpen={onSelect} />}
      </div>
    </Section>
  );
}
