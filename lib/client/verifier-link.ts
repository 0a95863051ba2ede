import type { FromWorker, ProgressStep, ToWorker, VerifyAnswer, VerifyRequest } from './verify-messages';

export type Progress = { readonly step: ProgressStep; readonly done: number; readonly total: number };

type Waiting = { readonly resolve: (answer: never) => void; readonly reject: (error: Error) => void; readonly onProgress: ((progress: Progress) => void) | undefined };

/** One worker and the questions that are open with it. A worker that dies answers all of them with why. */
export class VerifierLink {
  private worker: Worker | null = null;
  private waiting = new Map<number, Waiting>();
  private next = 1;
  private startFault = '';
  private readonly listeners = new Set<() => void>();
  /** True once the worker has loaded all of its code: from then on nothing is fetched. */
  ready = false;

  constructor(private readonly start: () => Worker) {}

  /** Starts the worker, so that nothing needs loading once a file is chosen. */
  open(): void {
    if (this.worker) return;
    const worker = this.started();
    if (!worker) return;
    this.worker = worker;
    // What one that was ended had still sent is no answer to anything.
    worker.addEventListener('message', ({ data }: MessageEvent<FromWorker>) => { if (worker === this.worker) this.hear(data); });
    worker.addEventListener('error', (event) => { if (worker === this.worker) this.close(event.message || 'The verifier stopped, perhaps for want of memory.'); });
  }

  /** Ends the worker and with it whatever it was doing; the next question starts another. */
  close(why: string): void {
    this.worker?.terminate();
    this.worker = null;
    this.ready = false;
    const open = [...this.waiting.values()];
    this.waiting = new Map();
    for (const { reject } of open) reject(new Error(why));
    this.tell();
  }

  ask<Kind extends VerifyRequest['kind']>(request: Extract<VerifyRequest, { kind: Kind }>, onProgress?: (progress: Progress) => void): Promise<VerifyAnswer[Kind]> {
    this.open();
    const { worker } = this;
    if (!worker) return Promise.reject(new Error(`This browser starts no worker for this page: ${this.startFault}`));
    const ask = this.next++;
    return new Promise((resolve, reject) => {
      this.waiting.set(ask, { resolve, reject, onProgress });
      const message: ToWorker = { ask, request };
      worker.postMessage(message);
    });
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  /** A page that may have no worker stays a page: it says so when a file is chosen. */
  private started(): Worker | null {
    try {
      return this.start();
    } catch (cause) {
      this.startFault = cause instanceof Error ? cause.message : String(cause);
      return null;
    }
  }

  private hear(message: FromWorker): void {
    if (message.kind === 'ready') {
      this.ready = true;
      this.tell();
      return;
    }
    const waiting = this.waiting.get(message.ask);
    if (!waiting) return;
    if (message.kind === 'progress') {
      waiting.onProgress?.(message);
      return;
    }
    this.waiting.delete(message.ask);
    if (message.kind === 'fault') waiting.reject(new Error(message.detail));
    // eslint-disable-next-line @typescript-eslint/no-unsafe-type-assertion -- The answer to a question has the question's type: the worker is our own code.
    else waiting.resolve(message.answer as never);
  }

  private tell(): void {
    for (const listener of this.listeners) listener();
  }
}
