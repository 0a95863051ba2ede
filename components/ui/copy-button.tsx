'use client';

import { useEffect, useState } from 'react';
import { Icon } from '@/components/ui/icon';

type CopyState = 'ready' | 'copied' | 'refused';

interface CopyButtonProps {
  readonly value: string;
  /** What is copied, for the name: "Copy digest". */
  readonly what: string;
  /** Shows the word beside the icon. */
  readonly labelled?: boolean;
}

/** Copies exactly `value`. Says so when the browser refuses, for then the clipboard still holds something else. */
export function CopyButton({ value, what, labelled = false }: CopyButtonProps) {
  const [state, setState] = useState<CopyState>('ready');

  useEffect(() => {
    if (state === 'ready') return;
    const timer = setTimeout(() => setState('ready'), 2_000);
    return () => clearTimeout(timer);
  }, [state]);

  async function copy() {
    try {
      await navigator.clipboard.writeText(value);
      setState('copied');
    } catch {
      setState('refused');
    }
  }

  const said = { ready: '', copied: 'Copied', refused: 'The browser refused to copy. Select the text instead.' }[state];
  return (
    <button type="button" className={labelled ? 'btn btn-s' : 'copy'} onClick={() => void copy()} aria-label={labelled ? undefined : `Copy ${what}`} title={labelled ? undefined : `Copy ${what}`}>
      <Icon name={state === 'copied' ? 'check' : state === 'refused' ? 'caution' : 'copy'} small />
      {labelled ? `Copy ${what}` : null}
      <span className="vh" role="status">{said}</span>
    </button>
  );
}
