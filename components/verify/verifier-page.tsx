import { useState } from 'react';

import { Wordmark } from '@/components/layout/wordmark';
import { Icon } from '@/components/ui/icon';
import { QueryProvider } from '@/lib/client/query-provider';

import { VerifyScreen } from './verify-screen';

interface VerifierPageProps {
  readonly startWorker: () => Worker;
  readonly embedded: Blob | null;
}

/** The verifier as a page of its own, with no console around it. */
export function VerifierPage({ startWorker, embedded }: VerifierPageProps) {
  return (
    <QueryProvider>
      <div className="auth">
        <header className="auth-top"><span className="brand"><Wordmark /></span><ThemeButton /></header>
        <main className="auth-sheet" data-width="page" id="content" tabIndex={-1}>
          <h1 className="auth-title">{embedded === null ? 'Verify a bundle' : 'Countersign report'}</h1>
          <p className="auth-lead">{embedded === null
            ? 'Everything is checked in this browser. This file may not reach any network: its own content policy forbids it.'
            : 'This file carries receipts and the means to check them. It may not reach any network. Whoever could change the receipts could change the file: check it with a verifier of your own before you rely on it.'}</p>
          <VerifyScreen startWorker={startWorker} embedded={embedded} />
        </main>
        <footer className="auth-foot">Agents propose. People countersign.</footer>
      </div>
    </QueryProvider>
  );
}

/** Pins the other of light and dark for as long as the file is open. */
function ThemeButton() {
  const [pinned, setPinned] = useState<'light' | 'dark' | null>(null);
  function turn() {
    const dark = (pinned ?? (window.matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light')) === 'dark';
    const next = dark ? 'light' : 'dark';
    document.documentElement.dataset['theme'] = next;
    setPinned(next);
  }
  return <button className="iconbtn" type="button" aria-label="Switch between light and dark" onClick={turn}><Icon name="theme" /></button>;
}
