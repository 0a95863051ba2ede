'use client';

import { useId, useState } from 'react';

import { Button } from '@/components/ui/button';
import { Dialog } from '@/components/ui/dialog';
import { Field, Input } from '@/components/ui/field';
import type { TrustRootChange } from '@/lib/authority/change-trust-root';
import type { TrustView } from '@/lib/contracts/console/trust';

interface RulesDialogProps {
  readonly view: TrustView;
  readonly onChange: (change: TrustRootChange) => void;
  readonly onClose: () => void;
}

const minute = 60;

/** Thresholds and cool-off. The server refuses what the owners could never reach. */
export function RulesDialog({ view: { root }, onChange, onClose }: RulesDialogProps) {
  const form = useId();
  const { policy, loosening, root: next } = root.thresholds;
  const [draft, setDraft] = useState({ policy: String(policy), loosening: String(loosening), root: String(next), minutes: String(root.cool_off_seconds / minute) });
  const set = (part: Partial<typeof draft>) => setDraft((before) => ({ ...before, ...part }));
  const people = new Set(root.owners.map(({ person }) => person)).size;
  const thresholds = { policy: Number(draft.policy), loosening: Number(draft.loosening), root: Number(draft.root) };
  const cool_off_seconds = Math.round(Number(draft.minutes) * minute);
  const counts = thresholds.policy !== policy || thresholds.loosening !== loosening || thresholds.root !== next;
  const change: TrustRootChange = { ...(counts ? { thresholds } : {}), ...(cool_off_seconds === root.cool_off_seconds ? {} : { cool_off_seconds }) };
  const same = Object.keys(change).length === 0;
  const number = { type: 'number', min: 1, max: people, required: true } as const;
  return (
    <Dialog
      open title="Change how many must sign" description="Different people are counted. What was signed before and no longer suffices is signed anew in the same step."
      onOpenChange={(open) => { if (!open) onClose(); }}
      footer={<><Button onClick={onClose}>Back <kbd>Esc</kbd></Button><Button kind="primary" type="submit" form={form} gatedBy={same ? 'Change something' : undefined}>Go on to sign</Button></>}
    >
      <form id={form} onSubmit={(event) => { event.preventDefault(); if (!same) onChange(change); }}>
        <Field label="A policy that only tightens" hint={people === 1 ? 'There is one owner.' : `Of ${people} owners.`}>{(control) => <Input {...control} {...number} value={draft.policy} onChange={(event) => set({ policy: event.target.value })} />}</Field>
        <Field label="Whatever loosens" hint="Policies, the roster, grants.">{(control) => <Input {...control} {...number} value={draft.loosening} onChange={(event) => set({ loosening: event.target.value })} />}</Field>
        <Field label="The next trust root">{(control) => <Input {...control} {...number} value={draft.root} onChange={(event) => set({ root: event.target.value })} />}</Field>
        <Field label="Cool-off in minutes" hint="How long a loosening policy waits after its last signature. 0: not at all. At most 30 days.">{(control) => <Input {...control} type="number" min={0} max={43_200} required value={draft.minutes} onChange={(event) => set({ minutes: event.target.value })} />}</Field>
      </form>
    </Dialog>
  );
}
