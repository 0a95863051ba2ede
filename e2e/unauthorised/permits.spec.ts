import { codeOf } from '../call-plane';
import { present } from '../demo';
import { expect, test } from '../fixture';

test('a permit is used once, however many try at the same time', async ({ demo }) => {
  const session = await demo.openSession({ request: 'Look up the products.' });
  const action = await demo.propose('harbor-assistant', session, { tool: 'database', operation: 'query', parameters: { query: 'SELECT name FROM products' } });
  const redeem = `/v1/permits/${present(action.permit, 'permit').id}/redeem`;
  const token = demo.token('agent', 'harbor-assistant');
  const answers = await Promise.all(Array.from({ length: 20 }, async () => await demo.call(token, 'POST', redeem)));
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  expect(answers.filter((answer) => codeOf(answer) === 'permit_used')).toHaveLength(19);
  expect(codeOf(await demo.call(token, 'POST', redeem))).toBe('permit_used');
});

test('a permit from before personal data were read is void afterwards, and its action denied', async ({ demo }) => {
  const session = await demo.openSession({ request: 'Tell dispatch@fleetline.example that the berths are free, then look up our customers.' });
  const token = demo.token('agent', 'harbor-assistant');
  const mail = await demo.propose('harbor-assistant', session, {
    tool: 'email', operation: 'send', parameters: { to: 'dispatch@fleetline.example', subject: 'Berths', body: 'The berths are free.' },
  });
  expect(mail).toMatchObject({ state: 'permitted' });
  const query = await demo.propose('harbor-assistant', session, { tool: 'database', operation: 'query', parameters: { query: 'SELECT name, email FROM customers' } });
  expect((await demo.call(token, 'POST', `/v1/permits/${present(query.permit, 'permit').id}/redeem`)).status).toBe(200);
  expect((await demo.call(token, 'POST', `/v1/actions/${query.id}/outcome`, { status: 'succeeded', output: [{ name: 'Ada', email: 'ada@aurora.example' }] })).status).toBe(200);

  const late = await demo.call(token, 'POST', `/v1/permits/${present(mail.permit, 'permit').id}/redeem`);
  expect([late.status, codeOf(late)]).toEqual([409, 'permit_stale']);
  expect(await demo.readAction('harbor-assistant', mail.id)).toMatchObject({ state: 'denied', code: 'permit_stale' });
});
