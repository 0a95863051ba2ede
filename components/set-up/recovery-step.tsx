'use client';

import { useState } from 'react';

import { Button } from '@/components/ui/button';
import { CopyButton } from '@/components/ui/copy-button';
import { Icon } from '@/components/ui/icon';
import { Section } from '@/components/ui/section';
import { downloadText } from '@/lib/client/download-text';
import type { RecoveryKey } from '@/lib/client/recovery-key';

interface RecoveryStepProps {
  readonly recovery: RecoveryKey;
  readonly fingerprint: string;
  readonly onSaved: () => void;
}

/** The recovery key, shown this once. One cannot go on without saying that it is kept. */
export function RecoveryStep({ recovery, fingerprint, onSaved }: RecoveryStepProps) {
  const [taken, setTaken] = useState(false);
  const [confirmed, setConfirmed] = useState(false);

  function save() {
    downloadText(`countersign-recovery-${fingerprint.slice(0, 8)}.pem`, recovery.pem, 'application/x-pem-file');
    setTaken(true);
  }
  function print() {
    window.print();
    setTaken(true);
  }

  return (
    <>
      <p>
        The recovery key is for one thing: replacing owner keys that are lost, 24 hours after notice was given on every screen (<b>Settings</b>, <b>Trust</b>,
        <b>Recover</b>). Without it a lost browser profile locks you out for good. Countersign keeps no copy.
      </p>
      <Section title="Keep it away from this device" note="shown this once">
        <p className="code recovery-code" data-print tabIndex={0}>{recovery.code}</p>
        <p className="mt-4 flex flex-wrap items-center gap-2">
          <Button onClick={save} icon={<Icon name="export" small />}>Save as a file</Button>
          <Button onClick={print}>Print the code</Button>
          <CopyButton value={recovery.code} what="code" labelled />
        </p>
      </Section>
      <label className="mt-5 flex gap-3">
        <input className="check" type="checkbox" checked={confirmed} onChange={(event) => setConfirmed(event.target.checked)} />
        <span>I have saved the file or printed the code, and it is not only on this device.</span>
      </label>
      <p className="mt-5 flex flex-wrap gap-2">
        <Button kind="primary" onClick={onSaved} gatedBy={!taken && !confirmed ? 'Save it first' : confirmed ? undefined : 'Confirm that it is saved'}>Go on</Button>
      </p>
    </>
  );
}
