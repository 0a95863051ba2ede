'use client';

import { Button } from '@/components/ui/button';
import { Section } from '@/components/ui/section';
import { Time } from '@/components/ui/time';
import { shadowDays, type ProofView, type ShadowView } from '@/lib/contracts/console/proofs';

import { ChangedReceipts } from './changed-receipts';
import { notReplayedShort, replayWords } from './proof-words';
import { TransitionsTable } from './transitions-table';

interface ShadowSectionProps {
  readonly view: ProofView;
  readonly busy: boolean;
  readonly onStart: (days: (typeof shadowDays)[number]) => void;
  readonly onStop: () => void;
}

/** A proposal that decides beside the policy in force. */
export function ShadowSection({ view: { shadow, may }, busy, onStart, onStop }: ShadowSectionProps) {
  const running = shadow !== null && shadow.ended_at === null;
  if (shadow === null && !may.shadow) return null;
  return (
    <Section title="Shadow" note={shadow === null ? undefined : running ? <>until <Time at={shadow.ends_at} form="date" /></> : endedWords(shadow)}>
      <p className="meta2">Has the proposal decide beside the policy in force and tells where they differ. It takes the recorded snapshot of each live decision again, moments later: nothing it says has an effect, and nothing waits for it.</p>
      {shadow === null ? null : <Found shadow={shadow} />}
      {may.shadow ? (
        <p className="shadow-do">
          {running
            ? <Button small onClick={onStop} offBecause={busy ? 'Asking' : undefined}>Stop the shadow</Button>
            : shadowDays.map((days) => <Button small key={days} onClick={() => onStart(days)} offBecause={busy ? 'Asking' : undefined}>Shadow for {days === 1 ? '1 day' : `${String(days)} days`}{shadow === null ? '' : ', from now'}</Button>)}
        </p>
      ) : null}
    </Section>
  );
}

function Found({ shadow }: { readonly shadow: ShadowView }) {
  const left = shadow.not_replayed.map(({ why, count }) => `${count.toLocaleString('en')} ${notReplayedShort[why]}`);
  return (
    <>
      <p className="meta2 shadow-said"><b>{shadow.differing.toLocaleString('en')}</b> of {shadow.decisions.toLocaleString('en')} live decisions differ since <Time at={shadow.started_at} form="date" />, when {shadow.started_by} started it.{left.length === 0 ? '' : ` Not decided: ${left.join(', ')}.`}</p>
      {shadow.decisions === 0 ? null : <TransitionsTable transitions={shadow.transitions} />}
      {shadow.differing === 0 ? null : replayWords({ ...shadow, other_terms: 0 }).map((words) => <p className="meta2 replay-said" key={words}>{words}</p>)}
      <ChangedReceipts rows={shadow.listed} total={shadow.differing} />
    </>
  );
}

function endedWords({ ended_why: why, ended_at: at }: ShadowView) {
  if (at === null) return undefined;
  const words = { time: 'ended at its time', stopped: 'stopped', proposal_ended: 'ended with the proposal' } as const;
  return <>{why === null ? 'ended' : words[why]}, <Time at={at} form="date" /></>;
}
