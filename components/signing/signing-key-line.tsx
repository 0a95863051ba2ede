'use client';

import { useId } from 'react';

import { FilePick } from '@/components/ui/file-pick';
import { UntrustedText } from '@/components/ui/untrusted-text';
import { askingWords, keyWords } from '@/lib/client/key-words';
import type { useSigningKey } from '@/lib/client/use-signing-key';

interface SigningKeyLineProps {
  /** How many documents get signed. */
  readonly signatures?: number | undefined;
  readonly signing: Pick<ReturnType<typeof useSigningKey>, 'key' | 'keys' | 'isFile' | 'why' | 'fault' | 'labels' | 'load' | 'choose'>;
}

/** With which key one signs, how often it will ask, which other would do, or why none of this browser does. */
export function SigningKeyLine({ signatures = 1, signing: { key, keys, isFile, why, fault, labels, load, choose } }: SigningKeyLineProps) {
  const id = useId();
  const words = (entry: { readonly id: string; readonly kind: string }) => `${keyWords(entry.kind)} ${labels[entry.id] ?? entry.id.slice(0, 8)}`;
  const pick = <FilePick label={isFile ? 'Use another key file' : 'Use a key file'} accept=".pem,.key,text/*" onPick={load} />;
  if (key === undefined) return <p className="meta mt-4">{why ?? 'No key of yours is in this browser.'} {pick} {fault}</p>;
  const asks = askingWords(key.entry.kind, signatures);
  if (isFile || keys.length < 2) return <p className="meta mt-4">You sign with your {isFile ? 'key file' : ''} <UntrustedText text={isFile ? key.entry.id.slice(0, 8) : words(key.entry)} />. {asks} {pick} {fault}</p>;
  return (
    <p className="meta mt-4">
      <label htmlFor={id}>You sign with your </label>
      <select id={id} className="input select w-auto" value={key.entry.id} onChange={(event) => choose(event.target.value)}>
        {keys.map(({ entry }) => <option key={entry.id} value={entry.id}>{words(entry)}</option>)}
      </select>{' '}
      {asks} {pick} {fault}
    </p>
  );
}
