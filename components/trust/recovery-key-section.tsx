'use client';

import Link from 'next/link';
import { useState } from 'react';

import { Band } from '@/components/ui/band';
import { Button } from '@/components/ui/button';
import { Digest } from '@/components/ui/digest';
import { FactsList } from '@/components/ui/facts-list';
import { Section } from '@/components/ui/section';

import type { TrustPartProps } from './owners';
import { RecoveryKeyDialog } from './recovery-key-dialog';

/** The key whose one power is to replace owner keys. */
export function RecoveryKeySection({ view, onChange }: TrustPartProps) {
  const [open, setOpen] = useState(false);
  return (
    <Section title="Recovery key" note={onChange === undefined ? undefined : <Button small onClick={() => setOpen(true)}>Replace it</Button>}>
      <FactsList facts={[
        { label: 'Key', value: <Digest value={view.root.recovery.key.id} length="short" /> },
        { label: 'May', value: 'replace owner keys, 24 hours after notice was given, and nothing else.' },
      ]} />
      {view.recovery_used === null ? null : <Band tone="warn" icon="key" role="note" title={`It brought trust root ${String(view.recovery_used)} into force.`}>It has been out of its safe: replace it, so that nobody who saw it can use it again.</Band>}
      {onChange === undefined ? null : <p className="meta mt-4">Owners’ keys are lost? <Link className="link" href="/settings/trust/recover">Recover with it</Link>. No owner’s key is needed for that.</p>}
      {open && onChange !== undefined ? <RecoveryKeyDialog fingerprint={view.fingerprint} onClose={() => setOpen(false)} onChange={(recovery_key) => { setOpen(false); onChange('Replace the recovery key', { recovery_key }); }} /> : null}
    </Section>
  );
}
