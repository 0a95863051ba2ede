import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import path from 'node:path';
import { createInterface } from 'node:readline';

import type { ActionView } from '@/lib/contracts/plane/actions';

import type { AgentName, Demo, Proposal } from './demo';

type AgentEvent = {
  readonly event: 'proposed' | 'unanswered' | 'permitted' | 'executed' | 'reported' | 'stopped';
  /** Milliseconds since 1970, by the agent's clock, which is this machine's. */
  readonly at: number;
  readonly status?: number;
  readonly action?: ActionView;
  readonly execute?: { readonly tool: string; readonly operation: string; readonly parameters: Readonly<Record<string, unknown>> };
};

/** An agent at work in a process of its own. */
export type Agent = {
  /** The first event of that name, when it comes; rejects when the agent ends without it. */
  readonly when: (event: AgentEvent['event']) => Promise<AgentEvent>;
  /** Where it writes what it ran. */
  readonly runsInto: string;
};

export function runAgent(demo: Demo, agent: AgentName, session: string, proposal: Proposal): Agent {
  const runsInto = path.join(demo.stateDirectory, `ran-${randomUUID()}.json`);
  const child = spawn(process.execPath, [path.join(import.meta.dirname, 'agent-process.mjs')], { stdio: ['pipe', 'pipe', 'inherit'] });
  child.stdin.write(`${JSON.stringify({ plane: demo.plane, token: demo.token('agent', agent), session, proposal, runsInto })}\n`);
  const events: AgentEvent[] = [];
  const looks = new Set<() => void>();
  let ended = false;
  const lines = createInterface({ input: child.stdout });
  lines.on('line', (line) => {
    events.push(JSON.parse(line) as AgentEvent);
    for (const look of looks) look();
  });
  lines.on('close', () => {
    ended = true;
    for (const look of looks) look();
  });
  return {
    runsInto,
    when: (event) =>
      new Promise((resolve, reject) => {
        const look = (): void => {
          const found = events.find((one) => one.event === event);
          if (!found && !ended) return;
          looks.delete(look);
          if (found) resolve(found);
          else reject(new Error(`The agent ended without "${event}": ${JSON.stringify(events)}`));
        };
        looks.add(look);
        look();
      }),
  };
}
