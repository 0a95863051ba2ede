'use client';

import { useState } from 'react';

import { Button } from '@/components/ui/button';
import { FactsList } from '@/components/ui/facts-list';
import { Section } from '@/components/ui/section';

import { secondsWords } from './change-words';
import type { TrustPartProps } from './owners';
import { RulesDialog } from './rules-dialog';

/** How many owners each kind of change needs, and how long a loosening one waits. */
export function Rules({ view, onChange }: TrustPartProps) {
  const [open, setOpen] = useState(false);
  const { thresholds, cool_off_seconds, owners } = view.root;
  const of = `of ${new Set(owners.map(({ person }) => person)).size}`;
  return (
    <Section title="How many must sign" note={onChange === undefined ? 'different people' : <Button small onClick={() => setOpen(true)}>Change numbers</Button>}>
      <FactsList facts={[
        { label: 'A policy that only tightens', value: `${thresholds.policy} ${of}` },
        { label: 'Whatever loosens', value: `${Math.max(thresholds.policy, thresholds.loosening)} ${of}: policies, the roster, grants` },
        { label: 'The next trust root', value: `${thresholds.root} ${of}` },
        { label: 'Cool-off', value: cool_off_seconds === 0 ? 'none: a loosening policy counts at once' : `${secondsWords(cool_off_seconds)} from the last needed signature on` },
      ]} />
      {open && onChange !== undefined ? <RulesDialog view={view} onClose={() => setOpen(false)} onChange={(change) => { setOpen(false); onChange('Change how many must sign', change); }} /> : null}
    </Section>
  );
}
