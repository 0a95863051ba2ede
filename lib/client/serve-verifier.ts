import { maxBundleBytes } from '@/lib/ledger/bundle';
import { fromBase64 } from '@/lib/shared/encoding';

import { checkBundle } from './check-bundle';
import type { OpenedBundle } from './opened-bundle';
import type { FromWorker, ToWorker, VerifyAnswer, VerifyRequest } from './verify-messages';
import { canEd25519 } from './verify-signature';

/** What a worker's own scope offers of messages. */
export type WorkerScope = {
  postMessage: (message: FromWorker) => void;
  addEventListener: (type: 'message', listener: (event: MessageEvent<ToWorker>) => void) => void;
};

/** The scope of the worker that this runs in. */
export const ownScope: WorkerScope = {
  postMessage: (message) => self.postMessage(message),
  addEventListener: (type, listener) => self.addEventListener(type, listener),
};

/** Answers a page's questions about one bundle at a time. Nothing here can reach a network: files come in as messages, answers leave as messages. */
export function serveVerifier(scope: WorkerScope): void {
  let opened: OpenedBundle | null = null;
  const answer = async ({ ask, request }: ToWorker): Promise<VerifyAnswer[keyof VerifyAnswer]> => {
    if (request.kind !== 'check') return await look(opened, request);
    // The bundle before is let go first: two of them need not fit into memory.
    opened = null;
    const { checked, opened: next } = await check(request, (step, done, total) => scope.postMessage({ ask, kind: 'progress', step, done, total }));
    opened = next;
    return checked;
  };
  scope.addEventListener('message', ({ data }) => {
    answer(data).then(
      (found) => scope.postMessage({ ask: data.ask, kind: 'answer', answer: found }),
      (error: unknown) => scope.postMessage({ ask: data.ask, kind: 'fault', detail: error instanceof Error ? error.message : String(error) }),
    );
  });
  scope.postMessage({ kind: 'ready' });
}

type Tell = (step: Extract<FromWorker, { kind: 'progress' }>['step'], done: number, total: number) => void;

async function check({ file, base64, trust }: Extract<VerifyRequest, { kind: 'check' }>, tell: Tell) {
  if (!(await canEd25519())) throw new Error('This browser lacks Ed25519, or the page is not served over https or from localhost.');
  if (file.size > (base64 ? (maxBundleBytes / 3) * 4 + 4 : maxBundleBytes)) throw new Error(`The file has ${file.size.toLocaleString('en')} bytes; a bundle has at most ${maxBundleBytes.toLocaleString('en')}. Export a smaller range.`);
  tell('reading', 0, file.size);
  // Damaged base64 is a damaged bundle: no bytes at all are unreadable too.
  const bytes = base64 ? (fromBase64(await file.text()) ?? new Uint8Array()) : new Uint8Array(await file.arrayBuffer());
  tell('reading', file.size, file.size);
  const found = await checkBundle(bytes, trust, tell);
  tell('summing_up', 1, 1);
  return found;
}

async function look(opened: OpenedBundle | null, request: Exclude<VerifyRequest, { kind: 'check' }>) {
  if (!opened) throw new Error('No bundle is open.');
  switch (request.kind) {
    case 'lines': return opened.linePage(request.from, request.count, request.show);
    case 'stories': return opened.storyPage(request.from, request.count, request.show);
    case 'receipt': return await opened.receipt(request.index);
  }
}
