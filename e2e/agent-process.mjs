import { writeFile } from 'node:fs/promises';
import { createInterface } from 'node:readline';

// An agent: proposes one action, waits for people by long polls, redeems the permit, runs exactly what the plane returned, and reports.
// What happens is told on stdout, one JSON object a line. Nothing of this repository is loaded: an agent needs HTTP and a token.
// Its task is the first line of stdin; when stdin ends, whoever started it is gone, and it goes too.
const input = createInterface({ input: process.stdin });
const { plane, token, session, proposal, runsInto } = await new Promise((resolve) => input.once('line', (line) => resolve(JSON.parse(line))));
input.once('close', () => process.exit(1));

/** How long an answer may fail to come before the agent gives up, milliseconds: a plane that restarts is back by then. */
const patienceMs = 60_000;

const tell = (event, more) => process.stdout.write(`${JSON.stringify({ event, at: Date.now(), ...more })}\n`);

async function call(method, path, body) {
  const headers = { authorization: `Bearer ${token}`, ...(body ? { 'content-type': 'application/json' } : {}) };
  const response = await fetch(plane + path, { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) });
  return { status: response.status, body: await response.json() };
}

/** Reading may be repeated; proposing and redeeming may not. */
async function readUntilAnswered(path) {
  const giveUpAt = Date.now() + patienceMs;
  for (;;) {
    const answer = await call('GET', path).catch((cause) => ({ status: 0, body: String(cause) }));
    if (answer.status === 200 || Date.now() > giveUpAt) return answer;
    tell('unanswered', { status: answer.status });
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

async function work() {
  let { status, body: action } = await call('POST', '/v1/actions', { session, ...proposal });
  tell('proposed', { status, action });
  while (status === 200 && (action.state === 'held' || action.state === 'deferred' || action.state === 'superseded')) {
    // A person may have made another action of it: that one is followed.
    ({ status, body: action } = await readUntilAnswered(`/v1/actions/${action.superseded_by ?? action.id}?wait=30`));
  }
  if (status !== 200 || action.state !== 'permitted') return tell('stopped', { status, action });
  tell('permitted', { action });
  const redeemed = await call('POST', `/v1/permits/${action.permit.id}/redeem`);
  if (redeemed.status !== 200) return tell('stopped', redeemed);
  await writeFile(runsInto, JSON.stringify(redeemed.body.execute));
  tell('executed', { execute: redeemed.body.execute });
  const reported = await call('POST', `/v1/actions/${action.id}/outcome`, { status: 'succeeded', output: { done: true } });
  tell('reported', reported);
}

await work();
process.exit(0);
