'use client';

import { useState } from 'react';

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
        { label: 'May', value: 'replace owner keys, 24 hours after notice was given, and nothing else. No screen of this version does that yet.' },
      ]} />
      {open && onChange !== undefined ? <RecoveryKeyDialog fingerprint={view.fingerprint} onClose={() => setOpen(false)} onChange={(recovery_key) => { setOpen(false); onChange('Replace the recovery key', { recovery_key }); }} /> : null}
    </Section>
  );
}
