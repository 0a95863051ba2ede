import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';

import { startTemporaryPlane, type TemporaryPlane } from '@/lib/cli/temporary-plane';
import { createPool } from '@/lib/db/pool';
import { projectRoot } from '@/lib/server/project-root';

import { approvalsPolicy } from './approvals-policy';
import { percentile } from './percentile';

const pending = 1000;
const waiting = 50;
const clicks = 200;
const toExpire = 10_000;
const agents = 20;
/** Proposals under way at once while requests are made. */
const makers = 24;
/** Decisions a second beside which p99 is taken, and for how long it is taken alone. */
const pace = 40;
const aloneS = 15;
const approver = 'owner@harbor.example';

export type ApprovalFigures = {
  readonly pending: number;
  readonly waiting: number;
  readonly click_to_agent_p95_ms: number;
  readonly expired: number;
  readonly expiry_s: number;
  readonly decisions_p99_ratio: number;
};

/**
 * From a click that completes a quorum to the answer of the agent's long poll, beside so many that wait; and what it takes when very many
 * requests run out in one second, with what decisions cost meanwhile. Plane, console and database are processes of their own; the click is
 * the use case behind the server action, without the web server in front of it.
 */
export async function benchApprovals(): Promise<ApprovalFigures> {
  const plane = await startTemporaryPlane({
    people: [
      { name: 'Owner', email: approver, roles: ['owner', 'approver'], groups: ['approver'], passwordHash: null },
      { name: 'Admin', email: 'admin@harbor.example', roles: ['admin'], groups: [], passwordHash: null },
    ],
    policy: { text: approvalsPolicy, format: 'yaml' },
    agents: Array.from({ length: agents }, (_, n) => ({ id: `agent-${String(n)}`, role: 'assistant', scope: [], registeredBy: 'admin@harbor.example' })),
    vouching: [{ kind: 'orchestrator', subject: 'desk', scope: { humans: ['*'] } }],
  });
  const console = await startConsole(plane);
  try {
    const callers: Caller[] = [];
    for (let n = 0; n < agents * 4; n++) callers.push(await openSession(plane, `agent-${String(n % agents)}`, `human-${String(n % agents)}@harbor.example`));
    return { pending, waiting, click_to_agent_p95_ms: await measureClicks(plane, console, callers), ...(await measureExpiry(plane, callers)) };
  } finally {
    console.process.kill('SIGTERM');
    await plane.stop();
  }
}

type Caller = { readonly session: string; readonly token: string };
type Held = { readonly id: string; readonly approval: string; readonly token: string };
type Console = { readonly process: ChildProcess; readonly ask: (line: string) => Promise<void> };

async function startConsole(plane: TemporaryPlane): Promise<Console> {
  const child = fork(path.join(projectRoot(), '.build', 'bench-console.mjs'), [], {
    env: {
      ...process.env, NODE_ENV: 'production', DATABASE_URL: plane.databaseUrl, COUNTERSIGN_STATE: plane.stateDirectory, LOG_LEVEL: 'warn',
      BENCH_APPROVER: approver, BENCH_KEY: plane.owner.pem,
    },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const asked = new Map<string, { readonly resolve: () => void; readonly reject: (cause: Error) => void }>();
  await Promise.race([once(child, 'message'), once(child, 'exit').then(() => Promise.reject(new Error('The console ended.')))]);
  child.on('message', (answer) => {
    const line = typeof answer === 'string' ? answer : '';
    const [what = '', id = ''] = line.split(' ');
    for (const key of what === 'fault' ? [`sign ${id}`, `click ${id}`] : [line]) {
      const one = asked.get(key);
      asked.delete(key);
      if (what === 'fault') one?.reject(new Error(line));
      else one?.resolve();
    }
  });
  return { process: child, ask: (line) => new Promise((resolve, reject) => (asked.set(line, { resolve, reject }), child.send(line))) };
}

async function post(plane: TemporaryPlane, token: string, where: string, body: object): Promise<unknown> {
  const response = await fetch(plane.url + where, { method: 'POST', headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' }, body: JSON.stringify(body) });
  if (!response.ok) throw new Error(`${where} answered ${String(response.status)}: ${await response.text()}`);
  return await response.json();
}

const field = (value: unknown, name: string): unknown => (typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined);
const textIn = (value: unknown, name: string): string => {
  const found = field(value, name);
  if (typeof found !== 'string') throw new Error(`There is no ${name} in ${JSON.stringify(value)}.`);
  return found;
};

async function openSession(plane: TemporaryPlane, agent: string, human: string): Promise<Caller> {
  const opened = await post(plane, plane.token('desk'), '/v1/sessions', { human, agent, request: 'Write the notes of the week.' });
  return { session: textIn(opened, 'id'), token: plane.token(agent) };
}

async function hold(plane: TemporaryPlane, { session, token }: Caller): Promise<Held> {
  const action = await post(plane, token, '/v1/actions', { session, tool: 'hold', operation: 'note', parameters: { text: 'A note.' } });
  if (field(action, 'state') !== 'held') throw new Error(`Not held: ${JSON.stringify(action)}`);
  return { id: textIn(action, 'id'), approval: textIn(field(action, 'approval'), 'id'), token };
}

/** Several at once, each maker with sessions of its own. */
async function holdMany(plane: TemporaryPlane, callers: readonly Caller[], count: number): Promise<readonly Held[]> {
  const made: Held[] = [];
  let left = count;
  await Promise.all(Array.from({ length: makers }, async (_, maker) => {
    const own = callers.filter((_caller, n) => n % makers === maker);
    for (let n = 0; left-- > 0; n++) {
      const caller = own[n % own.length];
      if (caller) made.push(await hold(plane, caller));
    }
  }));
  return made;
}

/** The moment at which the agent's long poll answers with what became of its action. */
async function answered(plane: TemporaryPlane, { id, token }: Held): Promise<number> {
  for (;;) {
    const response = await fetch(`${plane.url}/v1/actions/${id}?wait=60`, { headers: { authorization: `Bearer ${token}` } });
    const state = field(await response.json(), 'state');
    if (state === 'permitted') return performance.now();
    if (state !== 'held') throw new Error(`The action is ${String(state)}.`);
  }
}

async function measureClicks(plane: TemporaryPlane, console: Console, callers: readonly Caller[]): Promise<number> {
  const queue = [...(await holdMany(plane, callers, pending + clicks))];
  const wait = async (): Promise<{ readonly held: Held; readonly at: Promise<number> }> => {
    const held = queue.shift();
    if (!held) throw new Error('Too few were held.');
    await console.ask(`sign ${held.approval}`);
    return { held, at: answered(plane, held) };
  };
  const polls = await Promise.all(Array.from({ length: waiting }, wait));
  const took: number[] = [];
  for (let n = 0; n < clicks; n++) {
    const poll = polls.shift();
    if (!poll) throw new Error('Nobody waits.');
    const clicked = performance.now();
    const [at] = await Promise.all([poll.at, console.ask(`click ${poll.held.approval}`)]);
    // The first ones warm both processes up.
    if (n >= clicks / 10) took.push(at - clicked);
    polls.push(await wait());
  }
  for (const { at } of polls) at.catch(() => undefined);
  return Math.round(percentile(took, 95));
}

async function measureExpiry(plane: TemporaryPlane, callers: readonly Caller[]): Promise<Pick<ApprovalFigures, 'expired' | 'expiry_s' | 'decisions_p99_ratio'>> {
  const expiring = (await holdMany(plane, callers, toExpire)).map(({ approval }) => approval);
  const fresh: Caller[] = [];
  for (let n = 0; n < pace; n++) fresh.push(await openSession(plane, `agent-${String(n % agents)}`, `human-${String(n % agents)}@harbor.example`));
  const until = performance.now() + aloneS * 1000;
  const alone = percentile(await decide(plane, fresh, () => performance.now() < until), 99);
  const pool = createPool({ url: plane.databaseUrl, max: 1, onIdleError: () => undefined });
  try {
    // Made at different times, they could not run out in one second by themselves.
    const [about] = (await pool.query<{ end: Date }>(`WITH moved AS (
      UPDATE approvals SET expires_at = date_trunc('second', clock_timestamp()) + interval '3 seconds' WHERE state = 'pending' AND id = ANY($1) RETURNING expires_at) SELECT max(expires_at) AS end FROM moved`, [expiring])).rows;
    const look = async () => (await pool.query<{ left: number; since: number }>(`SELECT count(*) FILTER (WHERE state = 'pending')::int4 AS left,
      extract(epoch FROM clock_timestamp() - $1)::float8 AS since FROM approvals WHERE expires_at = $1`, [about?.end])).rows[0] ?? { left: -1, since: 0 };
    while ((await look()).since < -0.2) await new Promise((resolve) => setTimeout(resolve, 50));
    let seen = await look();
    let over = false;
    const [meanwhile] = await Promise.all([
      decide(plane, fresh, () => !over),
      (async () => {
        for (; seen.left > 0; seen = await look()) await new Promise((resolve) => setTimeout(resolve, 200));
        over = true;
      })(),
    ]);
    return { expired: expiring.length, expiry_s: Math.round(seen.since * 10) / 10, decisions_p99_ratio: Math.round((percentile(meanwhile, 99) / alone) * 100) / 100 };
  } finally {
    await pool.end();
  }
}

/** Decisions at a steady pace, whatever the ones before take: what each took, milliseconds. */
async function decide(plane: TemporaryPlane, callers: readonly Caller[], goesOn: () => boolean): Promise<readonly number[]> {
  const took: Promise<number>[] = [];
  for (let n = 0; goesOn(); n++) {
    const caller = callers[n % callers.length];
    if (!caller) break;
    const asked = performance.now();
    took.push(post(plane, caller.token, '/v1/actions', { session: caller.session, tool: 'notes', operation: 'write', parameters: { text: 'A note.' } }).then(() => performance.now() - asked));
    await new Promise((resolve) => setTimeout(resolve, 1000 / pace));
  }
  return await Promise.all(took);
}
