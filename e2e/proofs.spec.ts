import { violationsOf } from './axe';
import { present } from './demo';
import { expect, test } from './fixture';
import { change } from './held-work';

type Proved = { readonly proof: { readonly change: string; readonly replay?: { readonly receipts: number; readonly decisions: number; readonly listed: readonly { readonly receipt: string }[] } } | null; readonly job: { readonly state: string; readonly detail: string | null } | null };

test('what an agent proposes is proved beside the console, by itself: who gains what, and which real decisions change', async ({ demo, signIn }) => {
  const session = await demo.openSession(change.session);
  const held = await demo.propose('harbor-assistant', session, change.proposal);
  expect(held.state).toBe('held');
  const owner = await signIn('owner');
  const policies = (await (await owner.request.get(`${demo.console}/api/policies`)).json()) as { readonly in_force: { readonly revision: number; readonly digest: string; readonly text: string; readonly format: string } };
  const { revision, digest, text, format } = policies.in_force;

  // Whatever the policy holds for people, an agent of the same role would like to run by itself.
  const [tool, operation] = [change.proposal.tool, change.proposal.operation];
  const wider = text.replace(/\nrules:\n/, `\nrules:\n  - { id: let-it-run, match: { tool: ${tool}, operation: ${operation} }, action: ALLOW, priority: 299, reason: "It would be quicker." }\n`);
  const asked = await demo.call(demo.token('agent', 'harbor-assistant'), 'POST', '/v1/proposals', { base: { revision, digest }, text: wider, format, reason: 'It would be quicker.' });
  expect(asked.status, JSON.stringify(asked.body)).toBe(201);
  const { id } = asked.body as { readonly id: string };

  const proved = async (): Promise<Proved> => (await (await owner.request.get(`${demo.console}/api/proposals/${id}/proof`)).json()) as Proved;
  await expect.poll(async () => (await proved()).proof?.change ?? (await proved()).job?.detail, { timeout: 60_000 }).toMatch(/loosen|mixed|not_proved/);
  const { proof, job } = await proved();
  expect(job?.state).toBe('done');
  const replay = present(proof?.replay, 'replay');
  expect(replay.decisions).toBeGreaterThan(0);
  // What is listed opens: each is a receipt of this log.
  const [first] = replay.listed;
  expect((await owner.request.get(`${demo.console}/api/receipts/${present(first, 'changed decision').receipt}`)).status()).toBe(200);
  // The agent learns that it is proved, and nothing has changed for it.
  expect((await demo.call(demo.token('agent', 'harbor-assistant'), 'GET', `/v1/proposals/${id}`)).body).toMatchObject({ state: 'open', proof: { class: proof?.change } });

  await owner.goto(`${demo.console}/policies?proposal=${id}`);
  await expect(owner.getByRole('heading', { name: 'Who gains what' })).toBeVisible();
  await expect(owner.getByRole('table', { name: /Decisions under the policy in force/ }).first()).toBeVisible();
  await expect(owner.getByRole('heading', { name: 'What could not be proved' })).toBeVisible();
  // Each row opens its receipt.
  await expect(owner.getByRole('link', { name: /^Receipt / }).first()).toHaveAttribute('href', /\/receipts\?receipt=rcp_/);

  await owner.getByRole('button', { name: 'Shadow for 1 day' }).click();
  await expect(owner.getByRole('button', { name: 'Stop the shadow' })).toBeVisible();
  // What is decided from here on is decided beside it too, and stands.
  expect((await demo.propose('harbor-assistant', await demo.openSession(change.session), change.proposal)).state).toBe('held');
  await expect.poll(async () => ((await (await owner.request.get(`${demo.console}/api/proposals/${id}/proof`)).json()) as { readonly shadow: { readonly differing: number } | null }).shadow?.differing, { timeout: 45_000 }).toBeGreaterThan(0);
  await expect(owner.getByText(/live decisions? differ/)).toBeVisible();
  if (process.env['SHOTS'] !== undefined) {
    for (const colorScheme of ['light', 'dark'] as const) {
      for (const width of [1440, 390]) {
        await owner.setViewportSize({ width, height: width === 390 ? 4200 : 2600 });
        await owner.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
        await owner.screenshot({ path: `${process.env['SHOTS']}/proposal-${colorScheme}-${String(width)}.png` });
      }
    }
    await owner.setViewportSize({ width: 1440, height: 900 });
  }
  expect(await violationsOf(owner)).toEqual([]);
  await owner.getByRole('button', { name: 'Stop the shadow' }).click();
  await expect(owner.getByRole('button', { name: 'Shadow for 1 day, from now' })).toBeVisible();
});
