import { benchAgents, benchHumans, benchRevisions, benchTools } from '@/lib/cli/bench-data/bench-world';
import { pickSkewed, randomSource, type RandomSource } from '@/lib/cli/bench-data/random-source';
import { consistencyProof, inclusionProof } from '@/lib/ledger/merkle/prove';
import type { LedgerReader, ReceiptFilters } from '@/lib/ports/ledger-reader';
import { nodeSha256 as sha256 } from '@/lib/server/node-sha256';

/** One kind of question; each call asks another of its kind. */
export type Question = { readonly name: string; readonly ask: () => Promise<unknown> };

export type LedgerQuestions = { readonly list: readonly Question[]; readonly filter: readonly Question[]; readonly count: readonly Question[]; readonly prove: readonly Question[] };

const pageReceipts = 50;
const dayMs = 86_400_000;

/** What auditors ask of a log: frequent and rare, recent and old, one filter and several, also such as never came together. */
export async function ledgerQuestions(log: LedgerReader): Promise<LedgerQuestions> {
  const random = randomSource(1);
  const { size } = await log.head();
  const [first, last] = [await log.byIndex(0n), await log.byIndex(size - 1n)];
  if (!first || !last) throw new Error('The log is empty.');
  const times = { from: Date.parse(first.at), to: Date.parse(last.at) };
  const anywhere = (): bigint => BigInt(Math.floor(random() * Number(size)));
  const someReceipt = async () => (await log.byIndex(anywhere())) ?? first;
  const filters = filterKinds(random, times, someReceipt);
  return {
    list: [
      { name: 'first page', ask: () => log.search({}, { limit: pageReceipts }) },
      { name: 'page anywhere', ask: () => log.search({}, { limit: pageReceipts, before: anywhere() }) },
      { name: 'range anywhere', ask: () => log.range(anywhere(), size, pageReceipts) },
    ],
    filter: filters.flatMap(({ name, of }) => [
      { name, ask: async () => log.search(await of(), { limit: pageReceipts }) },
      { name: `${name}, page anywhere`, ask: async () => log.search(await of(), { limit: pageReceipts, before: anywhere() }) },
    ]),
    count: filters.map(({ name, of }) => ({ name, ask: async () => log.count(await of()) })),
    prove: [
      { name: 'inclusion', ask: () => inclusionProof(sha256, log.hashes, Number(anywhere()), Number(size)) },
      { name: 'inclusion at an earlier size', ask: () => inclusionAtEarlierSize(log, Number(anywhere()), Number(anywhere())) },
      { name: 'consistency', ask: () => consistencyProof(sha256, log.hashes, Math.max(1, Number(anywhere())), Number(size)) },
      { name: 'receipt by id, to its checkpoint', ask: async () => proveById(log, (await someReceipt()).id) },
    ],
  };
}

type FilterKind = { readonly name: string; readonly of: () => ReceiptFilters | Promise<ReceiptFilters> };

function filterKinds(random: RandomSource, times: { readonly from: number; readonly to: number }, someReceipt: () => Promise<Awaited<ReturnType<LedgerReader['byIndex']>> & object>): readonly FilterKind[] {
  const tool = () => pickSkewed(random, benchTools);
  const agent = () => pickSkewed(random, benchAgents).id;
  const person = () => pickSkewed(random, benchHumans);
  const decision = () => pickSkewed(random, ['ALLOW', 'DENY', 'STEP_UP', 'MODIFY', 'DEFER']);
  const span = (days: number) => {
    const from = times.from + random() * Math.max(0, times.to - times.from - days * dayMs);
    return { from: new Date(Math.floor(from)).toISOString(), to: new Date(Math.floor(from + days * dayMs)).toISOString() };
  };
  const ruleOf = ({ tool: name, operation }: (typeof benchTools)[number]) => `${name}-${operation}-deny`;
  return [
    { name: 'decision', of: () => ({ decision: decision() }) },
    { name: 'tool', of: () => ({ tool: tool().tool }) },
    { name: 'rarest tool', of: () => ({ tool: 'payroll' }) },
    { name: 'agent', of: () => ({ agent: agent() }) },
    { name: 'person', of: () => ({ person: person() }) },
    { name: 'kind', of: () => ({ kind: pickSkewed(random, ['action_decided', 'outcome_reported', 'session_opened', 'approval_voted', 'policy_applied'] as const) }) },
    { name: 'label', of: () => ({ label: pickSkewed(random, ['INTERNAL', 'CONFIDENTIAL', 'PII', 'FINANCIAL', 'SECRET']) }) },
    { name: 'rule', of: () => ({ rule: ruleOf(tool()) }) },
    { name: 'rule of everything', of: () => ({ rule: 'baseline' }) },
    { name: 'revision', of: () => ({ revision: 1 + Math.floor(random() * benchRevisions) }) },
    { name: 'session', of: async () => bySession(await someReceipt()) },
    { name: 'action', of: async () => byAction(await someReceipt()) },
    { name: 'day', of: () => span(1) },
    { name: 'month', of: () => span(31) },
    { name: 'agent, tool and decision', of: () => ({ agent: agent(), tool: tool().tool, decision: decision() }) },
    { name: 'person and decision, never together', of: () => ({ person: person(), decision: decision() }) },
    { name: 'kind and decision, never together', of: () => ({ kind: 'outcome_reported', decision: 'DENY' }) },
    { name: 'rarest tool in a week', of: () => ({ tool: 'payroll', ...span(7) }) },
    { name: 'agent and decision in a day', of: () => ({ agent: agent(), decision: decision(), ...span(1) }) },
    { name: 'label, decision and revision', of: () => ({ label: 'PII', decision: decision(), revision: 1 + Math.floor(random() * benchRevisions) }) },
    { name: 'text in a name', of: () => ({ text: tool().tool, ...span(31) }) },
    { name: 'text in most names', of: () => ({ text: 'agent', ...span(31) }) },
    { name: 'text nowhere', of: () => ({ text: 'zzzz nothing', ...span(31) }) },
    { name: 'beginning of an id', of: async () => ({ text: (await someReceipt()).id.slice(0, 12) }) },
  ];
}

const bySession = ({ session }: { readonly session?: ReceiptFilters['session'] }): ReceiptFilters => (session === undefined ? {} : { session });
const byAction = ({ action }: { readonly action?: ReceiptFilters['action'] }): ReceiptFilters => (action === undefined ? {} : { action });

const inclusionAtEarlierSize = (log: LedgerReader, a: number, b: number) => inclusionProof(sha256, log.hashes, Math.min(a, b), Math.max(a, b) + 1);

/** All that a receipt's proof document needs: row, checkpoint that covers it, path between the two. */
async function proveById(log: LedgerReader, id: Parameters<LedgerReader['byId']>[0]): Promise<unknown> {
  const row = await log.byId(id);
  const checkpoint = row && (await log.checkpointCovering(row.index + 1n));
  return row && checkpoint && (await inclusionProof(sha256, log.hashes, Number(row.index), Number(checkpoint.size)));
}
