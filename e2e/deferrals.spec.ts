import { violationsOf } from './axe';
import { present } from './demo';
import { expect, test } from './fixture';
import { deletion } from './held-work';

test('what waits for a fact says which, who can supply it and what stands behind it, and goes on when it comes', async ({ signIn, demo }) => {
  const page = await signIn('owner');
  const session = await demo.openSession({ request: deletion.session.request });
  const head = await demo.propose('harbor-assistant', session, deletion.proposal);
  expect(head).toMatchObject({ decision: 'DEFER', state: 'deferred' });
  const behind = await demo.propose('harbor-assistant', session, { tool: 'database', operation: 'query', parameters: { query: 'SELECT count(*) FROM load_test' } });
  expect(behind).toMatchObject({ state: 'deferred', deferral: { missing: [], waits_for: [head.id] } });

  await page.goto(`${demo.console}/deferrals?text=load_test`);
  await page.getByRole('group', { name: /Deferred actions/ }).getByRole('link', { name: /database\.delete.*owner of database:load_test/s }).click();
  const facts = page.getByRole('table', { name: /Missing facts/ });
  await expect(facts.getByRole('row', { name: /owner/ })).toContainText('demo-records information point');
  await expect(page.getByRole('table', { name: /Arguments/ })).toContainText('load_test');
  await expect(page.getByText('Time alone never allows it.')).toBeVisible();
  expect(await violationsOf(page)).toEqual([]);

  await page.getByRole('article').getByRole('link', { name: 'database.query' }).click();
  await expect(page.getByRole('heading', { level: 2, name: 'What it waits behind' })).toBeVisible();
  const ahead = page.getByRole('article').getByRole('listitem').filter({ hasText: present(head.id, 'action').slice(0, 12) });
  await expect(ahead).toContainText('deferred');

  const supplied = await demo.call(demo.token('information_point'), 'POST', `/v1/sessions/${session}/context`, { attributes: deletion.session.known });
  expect(supplied).toMatchObject({ status: 200, body: { redecided: [head.id] } });
  // What is ahead waits for people now, and the page says so by itself.
  await expect(ahead).toContainText('held for a person');
  expect(await demo.readAction('harbor-assistant', head.id)).toMatchObject({ decision: 'STEP_UP', state: 'held' });
});
