'use client';

import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';

import { Button } from '@/components/ui/button';
import { Field, TextArea } from '@/components/ui/field';
import { FilePick } from '@/components/ui/file-pick';
import { Section } from '@/components/ui/section';
import { keyFromFile, type SigningKey } from '@/lib/client/key-from-file';
import { keyFromRecoveryCode } from '@/lib/client/recovery-key';
import type { TrustView } from '@/lib/contracts/console/trust';

import { judgeRecoveryKey } from './judge-recovery-key';

interface RecoveryKeyStepProps {
  readonly view: TrustView;
  readonly onKey: (key: SigningKey) => void;
}

/** The recovery key, from its file or typed. It is read here, held in this page's memory, and never sent. */
export function RecoveryKeyStep({ view, onKey }: RecoveryKeyStepProps) {
  const [code, setCode] = useState('');
  const reading = useMutation({
    networkMode: 'always',
    mutationFn: async (given: File | string): Promise<string | null> => {
      const key = typeof given === 'string' ? await keyFromRecoveryCode(given) : await keyFromFile(await given.text());
      const judged = key.ok ? judgeRecoveryKey(view, key.value.entry.id) : key;
      if (!key.ok || !judged.ok) return judged.ok ? null : `${judged.error.detail} ${judged.error.fix ?? ''}`;
      setCode('');
      onKey(key.value);
      return null;
    },
  });
  const fault = reading.data ?? (reading.error === null ? null : 'The file could not be read.');
  return (
    <Section title="The recovery key" note="step 1 of 3">
      <p>It was saved or printed when Countersign was set up, or when it was replaced. This page reads it here and sends it nowhere: only what it signs leaves this browser.</p>
      <form onSubmit={(event) => { event.preventDefault(); reading.mutate(code); }}>
        <Field label="Recovery code" hint={<>Fourteen groups of four, in any case and spacing; or <FilePick label="load the file" accept=".pem,.key,text/*" onPick={(file) => reading.mutate(file)} />.</>} error={fault ?? undefined}>
          {(control) => <TextArea {...control} className="code recovery-code" rows={2} required autoComplete="off" autoCapitalize="characters" spellCheck={false} value={code} onChange={(event) => setCode(event.target.value)} />}
        </Field>
        <p className="mt-4"><Button kind="primary" type="submit" offBecause={reading.isPending ? 'Reading' : undefined}>Use this key</Button></p>
      </form>
    </Section>
  );
}
