import { serveVerifier } from '@/lib/client/serve-verifier';
import type { FromWorker, ToWorker } from '@/lib/client/verify-messages';

/** The verifier's worker in the thread of a test. What it sends comes later and as a copy, as from a thread of its own. */
export class NearWorker extends EventTarget {
  terminated = false;
  private readonly scope = new EventTarget();

  constructor() {
    super();
    serveVerifier({
      postMessage: (message: FromWorker) => {
        queueMicrotask(() => { if (!this.terminated) this.dispatchEvent(new MessageEvent('message', { data: structuredClone(message) })); });
      },
      addEventListener: (type, listener) => this.scope.addEventListener(type, listener as EventListener),
    });
  }

  postMessage(message: ToWorker): void {
    this.scope.dispatchEvent(new MessageEvent('message', { data: message }));
  }

  terminate(): void {
    this.terminated = true;
  }
}

/** One to hand to whoever starts workers, and all that were started. */
export function nearWorkers(): { readonly start: () => Worker; readonly started: readonly NearWorker[] } {
  const started: NearWorker[] = [];
  const start = (): Worker => {
    const worker = new NearWorker();
    started.push(worker);
    return worker as unknown as Worker;
  };
  return { start, started };
}
