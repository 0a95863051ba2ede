import type { ReceiptBodyOf } from '@/lib/services/sign-receipt';

type Decided = ReceiptBodyOf<'action_decided'>;

/** What becomes of calls of a tool, and how often of a hundred. What is left is allowed. */
export type BenchTool = {
  readonly tool: string;
  readonly operation: string;
  readonly weight: number;
  readonly impact: Decided['impact'];
  readonly labels: readonly string[];
  readonly deny: number;
  readonly hold: number;
  readonly defer: number;
  readonly modify: number;
};

const tool = (
  name: string,
  operation: string,
  weight: number,
  impact: BenchTool['impact'],
  labels: readonly string[],
  [deny, hold, defer, modify]: readonly [deny: number, hold: number, defer: number, modify: number],
): BenchTool => ({ tool: name, operation, weight, impact, labels, deny, hold, defer, modify });

/** From what is called all day to what is called once in a hundred thousand times. */
export const benchTools: readonly BenchTool[] = [
  tool('notes', 'write', 260, 'low', ['INTERNAL'], [1, 0, 0, 0]),
  tool('search', 'query', 210, 'low', ['INTERNAL'], [1, 0, 0, 0]),
  tool('files', 'read', 160, 'low', ['INTERNAL'], [4, 0, 1, 0]),
  tool('database', 'query', 130, 'medium', ['CONFIDENTIAL', 'PII'], [6, 1, 2, 8]),
  tool('email', 'send', 90, 'medium', ['CONFIDENTIAL'], [12, 10, 4, 2]),
  tool('tickets', 'update', 70, 'low', ['INTERNAL'], [2, 0, 0, 1]),
  tool('calendar', 'create', 40, 'low', ['INTERNAL'], [2, 1, 0, 0]),
  tool('files', 'write', 40, 'medium', ['CONFIDENTIAL'], [8, 6, 2, 0]),
  tool('crm', 'update', 30, 'medium', ['CONFIDENTIAL', 'PII'], [9, 8, 3, 6]),
  tool('database', 'update', 20, 'high', ['CONFIDENTIAL', 'PII'], [18, 30, 4, 14]),
  tool('payments', 'refund', 8, 'high', ['CONFIDENTIAL', 'FINANCIAL'], [15, 55, 5, 10]),
  tool('repository', 'push', 6, 'high', ['INTERNAL'], [14, 40, 2, 0]),
  tool('deployments', 'release', 2, 'critical', ['INTERNAL'], [20, 70, 0, 0]),
  tool('payments', 'transfer', 1, 'critical', ['FINANCIAL', 'SECRET'], [35, 60, 0, 0]),
  tool('database', 'drop', 0.4, 'critical', ['SECRET'], [100, 0, 0, 0]),
  tool('payroll', 'export', 0.01, 'critical', ['FINANCIAL', 'PII', 'SECRET'], [50, 50, 0, 0]),
];

const roles = ['assistant', 'analyst', 'operator', 'developer'] as const;

export const benchAgents = Array.from({ length: 24 }, (_, n) => ({ id: `agent-${String(n + 1)}`, role: roles[n % roles.length] ?? 'assistant' }));

export const benchHumans = Array.from({ length: 80 }, (_, n) => `person${String(n + 1)}@harbor.example`);

export const benchApprovers = Array.from({ length: 5 }, (_, n) => `approver${String(n + 1)}@harbor.example`);

export const benchOwner = 'owner@harbor.example';

/** How often the policy is replaced over the whole log. */
export const benchRevisions = 6;
