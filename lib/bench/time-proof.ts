import type { PolicyProof } from '@/lib/policy/proof';
import { nodeSha256 } from '@/lib/server/node-sha256';
import { proofBounds, proofThreadFile, runInProofThread } from '@/lib/server/proof-thread';
import type { ProofWork } from '@/lib/services/proof/proof-work';
import { digestOf, utf8 } from '@/lib/shared/encoding';

export type TimedProof = {
  readonly proof: PolicyProof;
  /** Until each step of it began, and until all was there. */
  readonly began: Readonly<Record<string, number>>;
  readonly seconds: number;
  /** Of all threads of this process; the database's are not in it. */
  readonly cpu_s: number;
};

/** One proof as the console makes it: in a thread started for it, in which nothing is warm, on the database of the environment. */
export async function timeProof(base: string, next: string, range: ProofWork['range'] = null): Promise<TimedProof> {
  const work: ProofWork = { base: textOf(base), next: textOf(next), tests: [], formerTests: [], groups: [], range };
  const began: Record<string, number> = {};
  const [cpu, start] = [process.cpuUsage(), performance.now()];
  const outcome = await runInProofThread(proofThreadFile(), { kind: 'prove', work }, proofBounds, new AbortController().signal, (message) => {
    if (message.kind === 'progress') began[message.progress.phase] ??= since(start);
  });
  const seconds = since(start);
  const { user, system } = process.cpuUsage(cpu);
  if (!('answer' in outcome) || outcome.answer.kind !== 'proved' || !outcome.answer.result.ok) throw new Error(`There is no proof: ${JSON.stringify(outcome)}`);
  return { proof: outcome.answer.result.value, began, seconds, cpu_s: Math.round((user + system) / 1000) / 1000 };
}

const textOf = (text: string): ProofWork['next'] => ({ text, format: 'yaml', digest: digestOf(nodeSha256, utf8(text)) });

export const since = (start: number): number => Math.round(performance.now() - start) / 1000;
