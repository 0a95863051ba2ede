import type { Page } from '@playwright/test';

import type { Demo } from './demo';
import { expect, test } from './fixture';

type Agreed = { readonly id: string; readonly state: string; readonly proof: object | null; readonly reason?: string; readonly revision?: number };

/** A rule of the agent's wish on top of what is in force, and its id once it is proved. */
async function wished(demo: Demo, owner: Page, rule: string, reason: string, where: 'first' | 'last' = 'first'): Promise<string> {
  const { in_force } = (await (await owner.request.get(`${demo.console}/api/policies`)).json()) as { readonly in_force: { readonly revision: number; readonly digest: string; readonly text: string } };
  const text = where === 'last' ? `${in_force.text.trimEnd()}\n${rule}` : in_force.text.replace(/\nrules:\n/, `\nrules:\n${rule}`);
  const asked = await demo.call(demo.token('agent', 'harbor-assistant'), 'POST', '/v1/proposals', { base: { revision: in_force.revision, digest: in_force.digest }, text, reason });
  expect(asked.status, JSON.stringify(asked.body)).toBe(201);
  const { id } = asked.body as Agreed;
  await expect.poll(async () => (await became(demo, id)).proof, { timeout: 90_000 }).not.toBeNull();
  return id;
}

const became = async (demo: Demo, id: string): Promise<Agreed> => (await demo.call(demo.token('agent', 'harbor-assistant'), 'GET', `/v1/proposals/${id}`)).body as Agreed;

const rule = (id: string, tool: string, operation: string, action: string): string =>
  `  - id: ${id}\n    match: { tool: ${tool}, operation: ${operation} }\n    action: ${action}\n    priority: 299\n    reason: "As proposed."\n`;

async function useOwnerKey(page: Page, demo: Demo): Promise<void> {
  const chooser = page.waitForEvent('filechooser');
  await page.getByRole('dialog').getByText('Use a key file').click();
  await (await chooser).setFiles(demo.ownerKey);
}

test('an agent proposes, an owner sees what was found out about it and signs, and the plane decides by it within a second', async ({ demo, signIn }) => {
  const owner = await signIn('owner');
  const id = await wished(demo, owner, rule('notes-may-be-read', 'email', 'send', 'DENY'), 'Nobody reads my mail anyway.');

  await owner.goto(`${demo.console}/policies`);
  await expect(owner.getByRole('link', { name: /notes-may-be-read/ })).toBeVisible();
  await owner.goto(`${demo.console}/policies?proposal=${id}`);
  const article = owner.getByRole('article', { name: 'notes-may-be-read' });
  await expect(article.getByText('Proposed by agent harbor-assistant')).toBeVisible();
  await expect(article.getByText('Same text, compared in this browser')).toBeVisible();
  await expect(article.getByRole('region', { name: 'Who gains what' })).toBeVisible();
  await expect(article.getByText('Nobody reads my mail anyway.')).toBeVisible();

  await owner.keyboard.press('s');
  await useOwnerKey(owner, demo);
  await owner.getByRole('dialog').getByRole('button', { name: 'Sign', exact: true }).click();
  await expect(owner.getByText(/revision \d+ is in force/)).toBeVisible();
  const signedAt = Date.now();
  const session = await demo.openSession({ request: 'Mail ann@harbor.example that the report is done.' });
  await expect.poll(async () => (await demo.propose('harbor-assistant', session, { tool: 'email', operation: 'send', parameters: { to: 'ann@harbor.example', subject: 'Report', body: 'Done.' } })).state, { intervals: [50], timeout: 5_000 }).toBe('denied');
  expect(Date.now() - signedAt).toBeLessThan(2_000);
  expect(await became(demo, id)).toMatchObject({ state: 'applied' });
});

test('an agent is told why its proposal was rejected, and the policy stays as it was', async ({ demo, signIn }) => {
  const owner = await signIn('owner');
  const id = await wished(demo, owner, rule('anything-goes', 'database', 'drop', 'ALLOW'), 'It would be quicker.');
  await owner.goto(`${demo.console}/policies?proposal=${id}`);
  await expect(owner.getByRole('button', { name: /^Reject/ })).toBeVisible();
  await owner.keyboard.press('r');
  const dialog = owner.getByRole('dialog');
  await dialog.getByLabel('Reason').fill('Nobody drops databases here.');
  await dialog.getByRole('button', { name: /^Reject/ }).click();
  await expect(owner.getByRole('article').getByText('Nobody drops databases here.')).toBeVisible();
  expect(await became(demo, id)).toMatchObject({ state: 'rejected', reason: 'Nobody drops databases here.' });
});

test('several are signed in the order in which they were picked, and come into force one after the other', async ({ demo, signIn }) => {
  const owner = await signIn('owner');
  const { in_force: { revision } } = (await (await owner.request.get(`${demo.console}/api/policies`)).json()) as { readonly in_force: { readonly revision: number } };
  const one = await wished(demo, owner, rule('first-picked', 'calendar', 'delete', 'DENY'), 'One.');
  const two = await wished(demo, owner, rule('second-picked', 'files', 'delete', 'DENY'), 'Two.', 'last');
  await owner.goto(`${demo.console}/policies`);
  await owner.getByRole('checkbox', { name: 'Sign second-picked too' }).check();
  await owner.getByRole('checkbox', { name: 'Sign first-picked too' }).check();
  await owner.getByRole('button', { name: 'Sign these 2 in order' }).click();
  const dialog = owner.getByRole('dialog', { name: 'Sign 2 proposals in this order' });
  await expect(dialog).toContainText('It is still being proved');
  await dialog.getByRole('button', { name: 'Back' }).click();
  // The second step is a rebase onto the first, which is proved like every proposal.
  await expect.poll(async () => ((await (await owner.request.get(`${demo.console}/api/proposals`)).json()) as { readonly live: readonly { readonly origin: string; readonly change: string | null }[] }).live.find(({ origin }) => origin === 'rebase')?.change ?? null, { timeout: 90_000 }).not.toBeNull();
  await owner.getByRole('button', { name: 'Sign these 2 in order' }).click();
  await useOwnerKey(owner, demo);
  await dialog.getByRole('button', { name: 'Sign', exact: true }).click();
  await expect(owner.getByText(`Signed: revision ${String(revision + 2)} is in force.`)).toBeVisible();
  expect(await became(demo, two)).toMatchObject({ state: 'applied', revision: revision + 1 });
  expect(await became(demo, one)).toMatchObject({ state: 'stale' });
});
