'use client';

import { useState } from 'react';

import { Button } from '@/components/ui/button';
import { Digest } from '@/components/ui/digest';
import { Field, Input, TextArea } from '@/components/ui/field';
import { FilePick } from '@/components/ui/file-pick';
import { Section } from '@/components/ui/section';
import { readKnownHeads } from '@/lib/client/known-heads';
import { isDigest } from '@/lib/shared/ids';

interface TrustFormProps {
  readonly fingerprint: string | null;
  readonly onFingerprint: (fingerprint: string | null) => void;
  readonly known: string;
  readonly onKnown: (known: string) => void;
}

/** What the reader brings from elsewhere: without it a bundle vouches for itself. */
export function TrustForm({ fingerprint, onFingerprint, known, onKnown }: TrustFormProps) {
  return (
    <Section title="What you know" note={fingerprint === null ? 'nothing yet' : 'remembered here'}>
      {fingerprint === null ? <AskFingerprint onFingerprint={onFingerprint} /> : (
        <div className="known-root">
          <p className="meta2">Fingerprint of the trust root</p>
          <p><Digest value={fingerprint} copy /></p>
          <p><Button small onClick={() => onFingerprint(null)}>Forget it</Button></p>
        </div>
      )}
      <KnownCheckpoints known={known} onKnown={onKnown} />
    </Section>
  );
}

function AskFingerprint({ onFingerprint }: Pick<TrustFormProps, 'onFingerprint'>) {
  const [typed, setTyped] = useState('');
  const [tried, setTried] = useState(false);
  const clean = typed.replace(/[\s:]/g, '').toLowerCase();
  return (
    <form onSubmit={(event) => { event.preventDefault(); setTried(true); if (isDigest(clean)) onFingerprint(clean); }}>
      <Field
        label="Fingerprint of the trust root" error={tried && !isDigest(clean) ? 'Sixty-four characters, 0 to 9 and a to f.' : undefined}
        hint="As an owner gave it to you, never as the file says. It is asked for once and kept in this browser."
      >
        {(control) => <Input {...control} className="mono" spellCheck={false} autoComplete="off" autoCapitalize="off" value={typed} onChange={(event) => { setTyped(event.target.value); setTried(false); }} />}
      </Field>
      <p className="mt-4"><Button small kind="primary" type="submit">Remember it</Button></p>
    </form>
  );
}

/** Tree heads kept from before: with them a cut tail or another history shows. */
function KnownCheckpoints({ known, onKnown }: Pick<TrustFormProps, 'known' | 'onKnown'>) {
  const [typed, setTyped] = useState(known);
  const { heads, fault } = readKnownHeads(typed);
  return (
    <details className="mt-6">
      <summary className="link">Checkpoints that you kept{heads.length === 0 ? '' : ` (${heads.length})`}</summary>
      <form onSubmit={(event) => { event.preventDefault(); if (fault === null) onKnown(typed); }}>
        <Field label="Exported checkpoints or pins" error={fault ?? undefined} hint="A cut end or a rewritten history shows against them. One after another, exactly as they were written.">
          {(control) => <TextArea {...control} className="input mono" rows={4} spellCheck={false} value={typed} onChange={(event) => setTyped(event.target.value)} />}
        </Field>
        <p className="mt-4 flex flex-wrap items-center gap-4">
          <Button small type="submit" offBecause={typed === known ? (known === '' ? 'None given' : 'In use') : undefined}>Compare with these</Button>
          <FilePick label="Load from a file" accept=".txt,.json,.jsonl,.checkpoint,text/plain" onPick={(file) => void file.text().then(setTyped)} />
        </p>
      </form>
    </details>
  );
}
