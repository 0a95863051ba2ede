import type { ReactNode } from 'react';

import { Digest } from '@/components/ui/digest';
import { FactsList } from '@/components/ui/facts-list';
import { Icon } from '@/components/ui/icon';
import { Section } from '@/components/ui/section';
import { Time } from '@/components/ui/time';
import { UntrustedText } from '@/components/ui/untrusted-text';
import type { Checked } from '@/lib/client/verify-messages';
import { pairingWords } from '@/lib/verify/pairing-words';

import { cannotWords, counted } from './verdict-words';

interface FoundProps {
  readonly checked: Checked;
  readonly onOpen: (index: number) => void;
}

/** Decisions made again: how many came out the same, how many did not, how many could not be made, and why. */
export function RederivedCounts({ checked: { rederived }, onOpen }: FoundProps) {
  const { reproduced, differs, cannot, why, first } = rederived;
  return (
    <Section title="Decided again by the engine" note={counted(reproduced + differs + cannot, 'decision')}>
      <ul className="figures">
        <Figure label="reproduced" value={reproduced} />
        <Figure label="differ" value={differs} tone={differs > 0 ? 'bad' : undefined} />
        <Figure label="cannot be re-derived" value={cannot} tone={cannot > 0 ? 'warn' : undefined} />
      </ul>
      {first === null ? null : <p className="meta2 bad"><Opener index={first.index} onOpen={onOpen} />: <UntrustedText text={first.detail} /></p>}
      {why.length === 0 ? null : (
        <ul className="limits">
          {why.map((reason) => <li key={reason.why}><Icon name="dash" /><span><b>{reason.count.toLocaleString('en')}</b> {cannotWords[reason.why]}, first <Opener index={reason.example} onOpen={onOpen} /></span></li>)}
        </ul>
      )}
    </Section>
  );
}

/** How decisions, approvals, permits and outcomes go together, each verdict in plain words. */
export function PairingCounts({ checked: { pairing, actions }, onOpen }: FoundProps) {
  return (
    <Section title="Decision, approval, permit, outcome" note={counted(actions, 'action')}>
      {pairing.length === 0 ? <p className="meta2">No action is in this file.</p> : (
        <ul className="verdicts">
          {pairing.map(({ verdict, broken, count, first }) => {
            const { title, means } = pairingWords[verdict];
            return (
              <li key={verdict} data-broken={broken}>
                <span className="num">{count.toLocaleString('en')}</span>
                <span><b>{title}</b> <span className="t2">{means}</span>{broken ? <> First at <Opener index={first} onOpen={onOpen} />.</> : null}</span>
              </li>
            );
          })}
        </ul>
      )}
    </Section>
  );
}

const wheres = { before: 'before what is here', inside: 'between receipts that are here', after: 'after what is here' } as const;

/** What of the log is not in the file. */
export function GapsList({ checked: { gaps, gapCount, size } }: Pick<FoundProps, 'checked'>) {
  return (
    <Section title="What is not in the file" note={gapCount === 0 ? 'no gap' : counted(gapCount, 'gap')}>
      {gapCount === 0 ? <p className="meta2">Every receipt of the log up to its checkpoint of {(size ?? 0).toLocaleString('en')} is here.</p> : (
        <ul className="limits">
          {gaps.slice(0, 6).map(({ from, to, where }) => (
            <li key={from}><Icon name="dash" /><span><b>{to - from === 1 ? `Receipt ${from.toLocaleString('en')}` : `Receipts ${from.toLocaleString('en')} to ${(to - 1).toLocaleString('en')}`}</b>, {wheres[where]}</span></li>
          ))}
          {gapCount > 6 ? <li><Icon name="dash" /><span>and {(gapCount - 6).toLocaleString('en')} more gaps</span></li> : null}
        </ul>
      )}
      {gapCount === 0 ? null : <p className="meta2 mt-2">That receipts were left out is no fault: each one here is proved by itself. What they say cannot be known from this file.</p>}
    </Section>
  );
}

/** What the file says of itself; believed as far as the checks above carry it. */
export function AboutBundle({ checked: { about, root, size, sha256 } }: Pick<FoundProps, 'checked'>) {
  if (about === null) return null;
  const { range, session } = about;
  const facts: readonly { label: string; value: ReactNode }[] = [
    { label: 'Workspace', value: <code><UntrustedText text={about.workspace} /></code> },
    { label: 'Receipts', value: session === null ? range.from === range.to ? 'single ones' : `${range.from.toLocaleString('en')} to ${(range.to - 1).toLocaleString('en')}` : <>session <code><UntrustedText text={session.slice(0, 12)} /></code></> },
    { label: 'Log', value: `${(size ?? 0).toLocaleString('en')} receipts at export` },
    ...(about.first_at === null || about.last_at === null ? [] : [{ label: 'From', value: <Time at={about.first_at} form="date" /> }, { label: 'Until', value: <Time at={about.last_at} form="date" /> }]),
    { label: 'Exported', value: <Time at={about.created_at} form="date" /> },
    ...(about.withheld + about.erased === 0 ? [] : [{ label: 'Contents left out', value: `${about.withheld.toLocaleString('en')} withheld, ${about.erased.toLocaleString('en')} erased` }]),
  ];
  return (
    <Section title="About this file">
      <FactsList facts={facts} />
      {root === null ? null : <p className="meta2 mt-4">Its trust root, by its own word. Compare it with what an owner told you.<br /><Digest value={root} copy /></p>}
      <p className="meta2 mt-4">SHA-256 of the file<br /><Digest value={sha256} copy length="short" /></p>
    </Section>
  );
}

function Figure({ label, value, tone }: { readonly label: string; readonly value: number; readonly tone?: 'bad' | 'warn' | undefined }) {
  return <li className={tone}><b className="num">{value.toLocaleString('en')}</b> <span>{label}</span></li>;
}

const Opener = ({ index, onOpen }: { readonly index: number; readonly onOpen: (index: number) => void }) => <button type="button" className="link" onClick={() => onOpen(index)}>receipt {index.toLocaleString('en')}</button>;
