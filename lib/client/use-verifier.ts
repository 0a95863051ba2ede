'use client';

import { useEffect, useRef, useState, useSyncExternalStore } from 'react';

import { VerifierLink, type Progress } from './verifier-link';
import type { Checked, Trust } from './verify-messages';

export type VerifierState =
  | { readonly kind: 'idle' }
  | { readonly kind: 'checking'; readonly name: string; readonly progress: Progress | null }
  | { readonly kind: 'done'; readonly name: string; readonly checked: Checked; readonly run: number }
  /** Nothing was found out: the browser cannot, or the worker died. */
  | { readonly kind: 'refused'; readonly name: string; readonly why: string };

export type ChosenFile = { readonly file: Blob; readonly name: string; readonly base64?: boolean };

/** One verifier in a thread of its own, which is there as long as the page is. A new file or Stop ends whatever it was doing. */
export function useVerifier(startWorker: () => Worker) {
  const [link] = useState(() => new VerifierLink(startWorker));
  const [state, setState] = useState<VerifierState>({ kind: 'idle' });
  const run = useRef(0);
  // Outside system: the worker. It loads its code at once, so that nothing is fetched after a file was chosen.
  useEffect(() => {
    link.open();
    return () => link.close('The page was left.');
  }, [link]);
  const ready = useSyncExternalStore(link.subscribe, () => link.ready, () => false);

  function stop(): void {
    run.current += 1;
    link.close('Stopped.');
    link.open();
    setState({ kind: 'idle' });
  }

  async function check({ file, name, base64 = false }: ChosenFile, trust: Trust): Promise<void> {
    // Two checks at once would need the memory of both.
    if (state.kind === 'checking') stop();
    run.current += 1;
    const own = run.current;
    const settle = (next: VerifierState) => { if (own === run.current) setState(next); };
    setState({ kind: 'checking', name, progress: null });
    try {
      const checked = await link.ask<'check'>({ kind: 'check', file, base64, trust }, (progress) => settle({ kind: 'checking', name, progress }));
      settle({ kind: 'done', name, checked, run: own });
    } catch (error) {
      settle({ kind: 'refused', name, why: error instanceof Error ? error.message : String(error) });
    }
  }

  return { link, state, ready, check, stop };
}
