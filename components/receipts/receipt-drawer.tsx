'use client';

import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';

import { Button } from '@/components/ui/button';
import { CopyButton } from '@/components/ui/copy-button';
import { DecisionChip } from '@/components/ui/decision-chip';
import { Icon } from '@/components/ui/icon';
import { EmptyState, ErrorState, LoadingRows } from '@/components/ui/pane-states';
import { Time } from '@/components/ui/time';
import { UntrustedText } from '@/components/ui/untrusted-text';
import { Drawer } from '@/components/layout/drawer-layout';
import { shownFault } from '@/lib/client/parse-answer';
import { receiptDetailQuery } from '@/lib/client/queries';
import type { ReceiptsUrlState } from '@/lib/client/receipts-url';
import type { ReceiptDetail } from '@/lib/contracts/console/receipts';

import { ActionContent } from './action-content';
import { ActionStory } from './action-story';
import { ApproverScreen } from './approver-screen';
import { CaseExport } from './case-export';
import { ExactTexts } from './exact-texts';
import { ReceiptFacts } from './receipt-facts';
import { ReceiptVerdict } from './receipt-verdict';
import { decisionOf, kindWords } from './receipt-words';
import { SessionAround } from './session-around';
import { useVerdict } from './use-verdict';

interface ReceiptDrawerProps {
  readonly id: string;
  readonly mayExport: boolean;
  readonly onClose: () => void;
  readonly onOpen: (id: string) => void;
  readonly onFilter: (part: Partial<ReceiptsUrlState>) => void;
}

/** One receipt in full: verdict, its action from decision to outcome, content, what the approver saw, the session, and the exact texts. */
export function ReceiptDrawer({ id, mayExport, onClose, onOpen, onFilter }: ReceiptDrawerProps) {
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
      summary={<>{row.tool === null ? kindWords(row.kind) : <code>{row.tool}.{row.operation}</code>}{row.agent === null ? null : <>, {row.person === null ? 'by' : 'of'} <UntrustedText text={row.agent} /></>}{row.person === null ? null : <>, by <UntrustedText text={row.person_name ?? row.person} /></>}</>}
      close={close}
      foot={<><span className="meta">{row.id}<CopyButton value={row.id} what="receipt id" /></span>{mayExport ? <CaseExport row={row} /> : null}</>}
    >
      <Inside detail={data} onOpen={onOpen} onFilter={onFilter} />
    </Drawer>
  );
}

function Inside({ detail, onOpen, onFilter }: Pick<ReceiptDrawerProps, 'onOpen' | 'onFilter'> & { readonly detail: ReceiptDetail }) {
  const verdict = useVerdict(detail);
  const { judged } = verdict;
  const { row } = detail;
  const voter = judged?.redrawn?.statement?.voter.person;
  const who = voter === undefined ? null : (detail.related.find(({ person }) => person === voter)?.person_name ?? null);
  return (
    <>
      <ReceiptVerdict detail={detail} verdict={verdict} />
      {judged === undefined ? null : (
        <>
          <ActionStory detail={detail} judged={judged} onOpen={onOpen} />
          <ActionContent judged={judged} />
          {judged.redrawn === null ? null : <ApproverScreen redrawn={judged.redrawn} who={who} />}
        </>
      )}
      <ReceiptFacts row={row} onFilter={onFilter} />
      {row.session === null ? null : <SessionAround key={row.id} session={row.session} index={row.index} onOpen={onOpen} />}
      <ExactTexts detail={detail} />
    </>
  );
}
