'use client';

import { useEffect, useRef, useState, useSyncExternalStore } from 'react';

import { Band } from '@/components/ui/band';
import { Section } from '@/components/ui/section';
import { forgetRoot, rememberedRoot, rememberRoot } from '@/lib/client/remembered-root';
import { useVerifier, type ChosenFile } from '@/lib/client/use-verifier';
import { isDigest } from '@/lib/shared/ids';

import { BundleVerdict, ChecksList } from './bundle-verdict';
import { CheckingProgress } from './checking-progress';
import { DropZone } from './drop-zone';
import { FailedCheck } from './failed-check';
import { ReceiptsBrowser } from './receipts-browser';
import { TrustForm } from './trust-form';
import { drawnState } from './verdict-words';
import { VerifyLimits } from './verify-limits';
import { WhatIsChecked } from './what-is-checked';
import { AboutBundle, GapsList, PairingCounts, RederivedCounts } from './what-was-found';

interface VerifyScreenProps {
  readonly startWorker: () => Worker;
  /** A bundle in base64 that came with the page, checked at once; null when one has to be chosen. */
  readonly embedded: Blob | null;
}

const never = () => () => undefined;

/** A file, what the reader knows, and what comes of the checks. */
export function VerifyScreen({ startWorker, embedded }: VerifyScreenProps) {
  const { link, state, ready, check, stop } = useVerifier(startWorker);
  const remembered = useSyncExternalStore(never, rememberedRoot, () => null);
  const [given, setGiven] = useState<string | null | undefined>(undefined);
  const [known, setKnown] = useState('');
  const [chosen, setChosen] = useState<ChosenFile | null>(null);
  const [selected, setSelected] = useState<number | null>(null);
  const fingerprint = given === undefined ? remembered : given;

  function begin(file: ChosenFile, trust = { fingerprint: fingerprint ?? '', known }) {
    setChosen(file);
    setSelected(null);
    void check(file, trust);
  }
  function trustFingerprint(next: string | null) {
    if (next !== null && isDigest(next)) rememberRoot(next);
    else forgetRoot();
    setGiven(next);
    if (chosen) begin(chosen, { fingerprint: next ?? '', known });
  }
  function trustKnown(next: string) {
    setKnown(next);
    if (chosen) begin(chosen, { fingerprint: fingerprint ?? '', known: next });
  }

  // Outside system: the page's own file. What it carries is checked once it is there.
  const begun = useRef(false);
  useEffect(() => {
    if (embedded === null || begun.current) return;
    begun.current = true;
    begin({ file: embedded, name: 'The bundle in this file', base64: true });
  });

  const done = state.kind === 'done' ? state.checked : null;
  const open = (index: number) => setSelected(index);
  return (
    <div className="verifier" data-state={state.kind} data-ready={ready}>
      <div className="verifier-cols">
        <div className="verifier-main">
          {state.kind === 'checking' ? <CheckingProgress name={state.name} progress={state.progress} onStop={stop} /> : null}
          {state.kind === 'done' ? <BundleVerdict checked={state.checked} name={state.name} /> : null}
          {state.kind === 'refused' ? <Band tone="deny" icon="stale" role="alert" title="It could not be checked here.">{state.why} Nothing was found out. Use <code>countersign verify</code>.</Band> : null}
          {done?.failure ? <FailedCheck failure={done.failure} onOpen={open} /> : null}
          {state.kind === 'checking' ? null : <DropZone small={state.kind === 'done'} onFile={(file) => begin({ file, name: file.name })} />}
          {state.kind === 'idle' || state.kind === 'refused' ? <WhatIsChecked /> : null}
          {done === null || done.about === null ? null : (
            <>
              <RederivedCounts checked={done} onOpen={open} />
              <PairingCounts checked={done} onOpen={open} />
              <GapsList checked={done} />
            </>
          )}
        </div>
        <aside className="verifier-side" aria-label="What you know, and what checks do not prove">
          <TrustForm fingerprint={fingerprint} onFingerprint={trustFingerprint} known={known} onKnown={trustKnown} />
          {done === null ? null : <AboutBundle checked={done} />}
          <VerifyLimits />
        </aside>
      </div>
      {state.kind === 'done' && done !== null && done.about !== null ? (
        <>
          <ReceiptsBrowser link={link} checked={done} run={state.run} selected={selected} onSelect={setSelected} />
          <Section title="Every check" note={`${done.checks.filter((one) => drawnState(one, done.verdict) === 'pass').length} of ${done.checks.length} passed`}><ChecksList checked={done} onOpen={open} /></Section>
        </>
      ) : null}
    </div>
  );
}
