import { createRoot } from 'react-dom/client';

import { ownScope, serveVerifier } from '@/lib/client/serve-verifier';

import { VerifierPage } from './verifier-page';

/**
 * Everything of the verifier's own file is this one script, the worker too: from a disk there is no second file to load, and the page's
 * content policy allows exactly this text. In a worker it answers questions, in a page it draws.
 */
if (typeof document === 'undefined') {
  serveVerifier(ownScope);
} else {
  draw(document.currentScript?.textContent ?? '');
}

function draw(script: string): void {
  const place = document.getElementById('verifier');
  if (!place) throw new Error('The page has no place for the verifier.');
  const embedded = embeddedBundle();
  if (embedded) document.title = 'Countersign report';
  const source = URL.createObjectURL(new Blob([script], { type: 'text/javascript' }));
  createRoot(place).render(<VerifierPage startWorker={() => new Worker(source)} embedded={embedded} />);
  // What the file says of itself makes way for what is found.
  document.getElementById('claims')?.remove();
}

/** The bundle that a report carries, in base64; null in the bare verifier. */
function embeddedBundle(): Blob | null {
  const text = document.getElementById('bundle')?.textContent ?? '';
  return text === '' ? null : new Blob([text]);
}
