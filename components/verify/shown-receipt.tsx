'use client';

import { useEffect, type ReactNode } from 'react';

import { Drawer } from '@/components/layout/drawer-layout';
import { Button } from '@/components/ui/button';
import { DecisionChip } from '@/components/ui/decision-chip';
import { Digest } from '@/components/ui/digest';
import { Icon } from '@/components/ui/icon';
import { EmptyState, ErrorState, LoadingRows } from '@/components/ui/pane-states';
import { Section } from '@/components/ui/section';
import { Time } from '@/components/ui/time';
import { UntrustedText } from '@/components/ui/untrusted-text';
import type { VerifierLink } from '@/lib/client/verifier-link';
import type { ReceiptShown } from '@/lib/client/verify-messages';
import { pairingWords } from '@/lib/verify/pairing-words';
import type { ActionStory } from '@/lib/verify/action-stories';
import type { CheckState } from '@/lib/verify/report';

import { decisionKind } from './decision-of';
import { ExactText } from './exact-text';
import { SeenByApprover } from './seen-by-approver';
import { useAsked } from './use-page';
import { kindWords } from './verdict-words';

interface ShownReceiptProps {
  readonly link: VerifierLink;
  readonly run: number;
  readonly index: number;
  readonly issuerKnown: boolean;
  readonly onClose: () => void;
  readonly onOpen: (index: number) => void;
}

const icons: { readonly [S in CheckState]: 'check' | 'cross' | 'dash' } = { pass: 'check', fail: 'cross', unknown: 'dash' };
const said: { readonly [S in CheckState]: string } = { pass: 'Passed', fail: 'Failed', unknown: 'Not found out' };
const drawn: { readonly [S in CheckState]: 'pass' | 'fail' | 'skipped' } = { pass: 'pass', fail: 'fail', unknown: 'skipped' };
const headlines: { readonly [S in CheckState]: string } = { pass: 'Every check on it passes', fail: 'It does not hold', unknown: 'Not everything could be found out' };

const titleId = 'shown-receipt';

/** One receipt of the file: its verdicts, what belongs to it, what an approver saw, and its exact text. */
export function ShownReceipt({ link, run, index, issuerKnown, onClose, onOpen }: ShownReceiptProps) {
  const { data, error } = useAsked<'receipt'>(link, run, { kind: 'receipt', index });
  // Outside system: the focus and the window's scroll, which go to what was opened and, where it stands below the list, there.
  useEffect(() => {
    const title = document.getElementById(titleId);
    title?.focus({ preventScroll: true });
    title?.scrollIntoView({ block: window.matchMedia('(max-width: 68rem)').matches ? 'start' : 'nearest' });
  }, [index]);
  const close = <Button small kind="plain" onClick={onClose} aria-label="Close the receipt" icon={<Icon name="close" small />}>Close</Button>;
  if (data === undefined || data === null) {
    return (
      <Drawer titleId={titleId} title={`Receipt ${index.toLocaleString('en')}`} close={close}>
        {error !== null ? <ErrorState title="The receipt could not be read.">{error.message}</ErrorState> : data === undefined ? <LoadingRows what="the receipt" /> : <EmptyState title="It is not in this file.">The log may have it; this export leaves it out.</EmptyState>}
      </Drawer>
    );
  }
  const { line } = data;
  const decision = decisionKind(line.decision);
  return (
    <Drawer
      titleId={titleId}
      title={`Receipt ${line.index.toLocaleString('en')}`}
      tags={<>{decision === undefined ? <b>{line.kind === null ? 'Cannot be read' : kindWords(line.kind)}</b> : <DecisionChip decision={decision} variant="chip" />}{line.at === null ? null : <span className="t3"><Time at={line.at} form="date" /></span>}</>}
      summary={<>{line.operation === null ? null : <><code><UntrustedText text={line.operation} /></code>{line.who === null ? null : ', by '}</>}{line.who === null ? null : <UntrustedText text={line.who} />}</>}
      close={close}
    >
      <Verdicts shown={data} issuerKnown={issuerKnown} />
      <SameAction shown={data} onOpen={onOpen} />
      {data.redrawn === null ? null : <SeenByApprover redrawn={data.redrawn} />}
      {data.statement === null ? null : <ExactText title="Signed statement" note="canonical form" value={data.statement} pretty />}
      <ExactText title="Envelope" note="DSSE, Ed25519" value={data.envelope} />
    </Drawer>
  );
}

function Verdicts({ shown: { line, verdicts, signer, previous, leafHash }, issuerKnown }: { readonly shown: ReceiptShown; readonly issuerKnown: boolean }) {
  const vouched = line.state === 'pass' && issuerKnown;
  return (
    <section className="sec" aria-label="Verdicts">
      <div className="verdict" data-state={vouched ? 'pass' : line.state === 'fail' ? 'fail' : 'open'}>
        <Icon name={line.state === 'fail' ? 'stale' : vouched ? 'check' : 'dash'} className="verdict-i" />
        <div><b>{line.state === 'pass' && !issuerKnown ? 'Consistent, issuer not verified' : headlines[line.state]}</b><span className="meta2">Signed by key <code>{signer.slice(0, 12)}</code></span></div>
      </div>
      <ol className="proof">
        {verdicts.map((verdict) => (
          <li key={`${verdict.id} ${verdict.title}`} data-state={drawn[verdict.state]}>
            <Icon name={icons[verdict.state]} label={said[verdict.state]} />
            <span>{verdict.title}{verdict.detail === '' ? null : <><br /><span className="t2"><UntrustedText text={verdict.detail} /></span></>}</span>
          </li>
        ))}
      </ol>
      <p className="meta2 mt-2">Leaf <Digest value={leafHash} length="short" /><br />after <Digest value={previous} length="short" /></p>
    </section>
  );
}

function SameAction({ shown: { story, line }, onOpen }: { readonly shown: ReceiptShown; readonly onOpen: (index: number) => void }) {
  if (story === null) return null;
  const { title, means } = pairingWords[story.pairing.verdict];
  return (
    <Section title="The same action" note={title} level={3}>
      <ol className="quad">{stepsOf(story).map(([name, said]) => <li key={name}><span className="t3">{name}</span>{said}</li>)}</ol>
      <p className="meta2 mt-2">{means} {story.reason === null ? null : <>Decided because: <UntrustedText text={story.reason} /></>}</p>
      <p className="meta2 mt-2 steps">{story.receipts.map((index) => (index === line.index ? <b key={index}>{index.toLocaleString('en')}</b> : <button key={index} type="button" className="link" onClick={() => onOpen(index)}>{index.toLocaleString('en')}</button>))}</p>
    </Section>
  );
}

const permitWords: { readonly [P in ActionStory['permit']]: string } = { none: 'none', issued: 'issued, not used', redeemed: 'used once', refused: 'refused when used' };

/** The four things that belong together, each with what there is of it. */
function stepsOf({ decision, votes, quorum, permit, outcome }: ActionStory): readonly (readonly [name: string, said: ReactNode])[] {
  const kind = decisionKind(decision);
  return [
    ['Decision', kind === undefined ? 'not in the file' : <DecisionChip decision={kind} />],
    ['Approval', votes.length === 0 ? (quorum === null ? 'not asked for' : `0 of ${quorum}`) : votes.map(({ person, verdict, index }) => <span key={index} className="block"><UntrustedText text={person} /> {verdict === 'approve' ? 'approved' : 'denied'}</span>)],
    ['Permit', permitWords[permit]],
    ['Outcome', outcome ?? (permit === 'redeemed' ? 'none reported' : 'nothing ran')],
  ];
}
