import { randomUUID } from 'node:crypto';

import { proveProposal, type ProvingParts, type RunProof, type WorkEnd } from '@/lib/services/proof/prove-proposal';
import type { EventBus } from '@/lib/ports/event-bus';

import type { Logger } from './logger';
import { proofBounds, proofThreadFile, runInProofThread, type ProofBounds, type ThreadEnd } from './proof-thread';

/** How often work that nobody told of is looked for, milliseconds. */
const lookMs = 5_000;
const atOnce = 20;

export type Proofs = {
  /** Looks for work now, and settles when none is left. */
  readonly look: () => Promise<void>;
  readonly stop: () => Promise<void>;
};

/**
 * Proves proposals one after another, in a thread that ends with each, for as long as the console runs. What is to do stands in the database, so any console may
 * do it, and what one left when it died is done by the next that looks.
 */
export function keepProving(parts: ProvingParts & { readonly events: EventBus }, logger: Logger, run: RunProof = proofInThread()): Proofs {
  const runner = randomUUID();
  const report = (cause: unknown): void => logger.error('work on a proof failed', { cause });
  let stopped = false;
  let working: Promise<void> | undefined;
  const stopAll = new AbortController();
  const bounded: RunProof = async (work, signal, listen) => {
    const ended = await run(work, AbortSignal.any([signal, stopAll.signal]), listen);
    return stopAll.signal.aborted && 'stopped' in ended ? { ...ended, stopped: 'left' } : ended;
  };

  const work = async (): Promise<void> => {
    for (;;) {
      const [asked, fresh] = await Promise.all([parts.proofJobs.toDo(), parts.proofJobs.unasked(atOnce)]);
      const [next] = [...asked, ...fresh];
      if (stopped || next === undefined) return;
      await proveProposal(parts, { run: bounded, runner, everySecond, report }, next);
    }
  };
  const look = (): Promise<void> => {
    working ??= work().catch(report).finally(() => (working = undefined));
    return working;
  };
  const unsubscribe = parts.events.subscribe(({ kind }) => {
    if (kind === 'proposal_changed') void look();
  }, () => void look());
  const timer = setInterval(() => void look(), lookMs);
  timer.unref();
  return {
    look,
    stop: async () => {
      stopped = true;
      clearInterval(timer);
      unsubscribe();
      stopAll.abort();
      await working;
    },
  };
}

function everySecond(work: () => void): () => void {
  const timer = setInterval(work, 1000);
  timer.unref();
  return () => clearInterval(timer);
}

/** Work in the bundled thread, or in another program that speaks as it does. */
export const proofInThread =
  (file: URL = proofThreadFile(), bounds: ProofBounds = proofBounds): RunProof =>
  async (work, signal, listen): Promise<WorkEnd> => {
    const outcome = await runInProofThread(file, { kind: 'prove', work }, bounds, signal, (message) => {
      if (message.kind === 'progress') listen.progress(message.progress);
      else listen.found(message.soFar);
    });
    if ('ended' in outcome) return { stopped: stoppedBy[outcome.ended.why], detail: outcome.ended.detail };
    const { answer } = outcome;
    if (answer.kind === 'proved') return { proof: answer.result };
    return { stopped: 'crashed', detail: answer.kind === 'failed' ? answer.message : 'It answered something else.' };
  };

const stoppedBy = { time: 'bound', memory: 'bound', cancelled: 'cancelled', crashed: 'crashed' } as const satisfies { readonly [Why in ThreadEnd['why']]: string };
