import { parseDeskAnswer } from './parse-desk-answer';
import type { DeskAnswer, DeskAnswers, DeskKind, FromDesk, RequestOf, ToDesk } from './policy-desk-messages';

type Waiting = { readonly resolve: (answer: DeskAnswer) => void; readonly reject: (error: Error) => void; readonly timer: ReturnType<typeof setTimeout> };

/** No policy within bounds takes this long. One that does must not hold up what is typed next. */
const longestMs = 20_000;

/** One worker that reads policies, and the questions that are open with it. */
export class PolicyLink {
  private worker: Worker | null = null;
  private waiting = new Map<number, Waiting>();
  private next = 1;

  constructor(private readonly start: () => Worker) {}

  /** Rejects when the worker cannot start, died, or took too long; the next question starts another. */
  async ask<Kind extends DeskKind>(kind: Kind, request: RequestOf<Kind>): Promise<DeskAnswers[Kind]> {
    const ask = this.next++;
    const answer = await new Promise<DeskAnswer>((resolve, reject) => {
      const timer = setTimeout(() => this.close(`Reading the policy took over ${longestMs / 1000} s and was stopped.`), longestMs);
      this.waiting.set(ask, { resolve, reject, timer });
      const message: ToDesk = { ask, request };
      this.running().postMessage(message);
    });
    return parseDeskAnswer(answer, kind);
  }

  /** Ends the worker and answers what is open with why. */
  close(why: string): void {
    this.worker?.terminate();
    this.worker = null;
    const open = [...this.waiting.values()];
    this.waiting = new Map();
    for (const { reject, timer } of open) {
      clearTimeout(timer);
      reject(new Error(why));
    }
  }

  private running(): Worker {
    if (this.worker) return this.worker;
    const worker = this.start();
    worker.addEventListener('message', ({ data }: MessageEvent<FromDesk>) => { if (worker === this.worker) this.hear(data); });
    worker.addEventListener('error', (event) => { if (worker === this.worker) this.close(event.message || 'The reader of policies stopped.'); });
    this.worker = worker;
    return worker;
  }

  private hear(message: FromDesk): void {
    const waiting = this.waiting.get(message.ask);
    if (!waiting) return;
    this.waiting.delete(message.ask);
    clearTimeout(waiting.timer);
    if ('fault' in message) waiting.reject(new Error(message.fault));
    else waiting.resolve(message.answer);
  }
}
