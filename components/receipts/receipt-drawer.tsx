'use client';

import { useQuery } from '@tanstack/react-query';
import Link from 'next/link';
import { useEffect } from 'react';

import { Button } from '@/components/ui/button';
import { CopyButton } from '@/components/ui/copy-button';
import { DecisionChip } from '@/components/ui/decision-chip';
import { Icon } from '@/components/ui/icon';
import { EmptyState, ErrorState, LoadingRows } from '@/components/ui/pane-states';
import { Section } from '@/components/ui/section';
import { Time } from '@/components/ui/time';
import { UntrustedText } from '@/components/ui/untrusted-text';
import { Drawer } from '@/components/layout/drawer-layout';
import { shownFault } from '@/lib/client/parse-answer';
import { receiptDetailQuery } from '@/lib/client/queries';
import { byteLength } from '@/lib/client/verify-receipt';
import type { ReceiptDetail, ReceiptRow } from '@/lib/contracts/console/receipts';
import { parseEnvelope, payloadText } from '@/lib/shared/dsse';

import { ReceiptVerdict } from './receipt-verdict';
import { decisionOf, kindWords } from './receipt-words';

interface ReceiptDrawerProps {
  readonly id: string;
  readonly onClose: () => void;
  readonly onOpen: (id: string) => void;
}

/** One receipt in full: verdict, what belongs to it, statement, envelope and proof. */
export function ReceiptDrawer({ id, onClose, onOpen }: ReceiptDrawerProps) {
  const { data, error, refetch } = useQuery(receiptDetailQuery(id));
  // Outside system: the window. Where there is no room beside the table the receipt stands below it, or in its place.
  useEffect(() => {
    if (window.matchMedia('(max-width: 68rem)').matches) document.getElementById('receipt-title')?.scrollIntoView({ block: 'center' });
  }, []);
  const close = <Button small kind="plain" onClick={onClose} aria-label="Close the receipt" icon={<Icon name="close" small />}>Close</Button>;
  if (data === undefined) {
    return (
      <Drawer titleId="receipt-title" title="Receipt" close={close}>
        {error === null ? <LoadingRows what="the receipt" /> : shownFault(error).code === 'not_found'
          ? <EmptyState title="There is no such receipt.">Nothing was lost: receipts are never deleted. Check the link.</EmptyState>
          : <ErrorState title="The receipt could not be read." code={shownFault(error).code} action={<Button small onClick={() => void refetch()}>Read again</Button>}>{shownFault(error).detail}</ErrorState>}
      </Drawer>
    );
  }
  const { row } = data;
  const decision = decisionOf(row);
  return (
    <Drawer
      titleId="receipt-title"
      title={`Receipt ${row.index.toLocaleString('en')}`}
      tags={<>{decision === undefined ? <b>{kindWords(row.kind)}</b> : <DecisionChip decision={decision} variant="chip" />}<span className="t3"><Time at={row.at} form="date" /></span></>}
      summary={<>{row.tool === null ? kindWords(row.kind) : <code>{row.tool}.{row.operation}</code>}{row.agent === null ? null : <>, by <UntrustedText text={row.agent} /></>}{row.person === null ? null : <>, <UntrustedText text={row.person} /></>}</>}
      close={close}
      foot={<><span className="meta">{row.id}<CopyButton value={row.id} what="receipt id" /></span>{row.session === null ? null : <Link className="btn btn-s" href={`/sessions/${row.session}`}>Session</Link>}</>}
    >
      <ReceiptVerdict detail={data} />
      <Related rows={data.related} current={row.id} onOpen={onOpen} />
      <Exact detail={data} />
    </Drawer>
  );
}

function Related({ rows, current, onOpen }: { readonly rows: readonly ReceiptRow[]; readonly current: string; readonly onOpen: (id: string) => void }) {
  if (rows.length < 2) return null;
  return (
    <Section title="The same action" note={`${rows.length} receipts`} level={3}>
      <ol className="proof">
        {rows.map((row) => (
          <li key={row.id}>
            <Icon name={row.id === current ? 'check' : 'dash'} label={row.id === current ? 'This one' : 'Another'} />
            <span>{row.id === current ? <b>{row.index.toLocaleString('en')}</b> : <button type="button" className="link" onClick={() => onOpen(row.id)}>{row.index.toLocaleString('en')}</button>} {kindWords(row.kind)}{row.decision === null ? '' : `, ${row.decision}`}</span>
            <span className="t3"><Time at={row.at} form="clock" /></span>
          </li>
        ))}
      </ol>
    </Section>
  );
}

function Exact({ detail }: { readonly detail: ReceiptDetail }) {
  const envelope = parseEnvelope(detail.envelope);
  const statement = envelope.ok ? payloadText(envelope.value) : undefined;
  return (
    <>
      {statement === undefined ? null : <Text title="Signed statement" note={`canonical form, ${byteLength(statement).toLocaleString('en')} bytes`} value={statement} pretty open />}
      <Text title="Envelope" note="DSSE, Ed25519" value={detail.envelope} />
      <Text title="Inclusion proof" note={detail.proof === null ? 'no checkpoint covers it yet' : 'C2SP tlog-proof'} value={detail.proof ?? ''} />
    </>
  );
}

/** The copy is the exact text; what is drawn is indented for reading where `pretty` says so. */
function Text({ title, note, value, pretty = false, open = false }: { readonly title: string; readonly note: string; readonly value: string; readonly pretty?: boolean; readonly open?: boolean }) {
  if (value === '') return null;
  const shown = pretty ? indented(value) : value;
  return (
    <Section title={title} note={<>{note}<CopyButton value={value} what={title.toLowerCase()} /></>} level={3}>
      <details open={open}>
        <summary className="link">{open ? 'Text' : 'Show'}</summary>
        <pre className="code json" tabIndex={0}>{shown.split('\n').map((line, index) => <span className="l" key={index}><UntrustedText text={line} /></span>)}</pre>
      </details>
    </Section>
  );
}

function indented(canonical: string): string {
  try {
    const value: unknown = JSON.parse(canonical);
    return JSON.stringify(value, null, 2);
  } catch {
    return canonical;
  }
}
