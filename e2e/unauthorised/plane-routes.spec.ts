import { codeOf } from '../call-plane';
import type { CredentialKind } from '../demo';
import { expect, test } from '../fixture';

type Operation = { readonly 'x-credentials'?: readonly string[] };
type Description = { readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>> };

const kinds: readonly CredentialKind[] = ['agent', 'orchestrator', 'enforcement_point', 'information_point'];
const documents = /^\/v1\/(policy|grants|roster|trust-root|settings)$/;

const filledIn = (path: string): string =>
  path.replace(/\{\w+\}/g, () => {
    const kind = /^\/v1\/(\w+)/.exec(path)?.[1];
    return `${{ sessions: 'ses', actions: 'act', permits: 'prm', receipts: 'rcp' }[kind ?? ''] ?? 'x'}_0123456789abcdefghij12`;
  });

test('no route of the plane serves another kind of credential than it says, or none', async ({ demo }) => {
  const { paths } = (await demo.call(null, 'GET', '/openapi.json')).body as Description;
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method: method.toUpperCase(), credentials: operation['x-credentials'] })),
  );
  expect(operations.length).toBeGreaterThan(15);
  for (const { path, method, credentials } of operations) {
    await test.step(`${method} ${path}`, async () => {
      const body = method === 'GET' || method === 'DELETE' ? undefined : {};
      if (credentials === undefined) return expect(path).toMatch(/^\/(healthz|readyz|metrics)$/);
      for (const wrong of [null, 'csa_0123456789012345678901234567890123456789012']) {
        const refused = await demo.call(wrong, method, filledIn(path), body);
        expect(refused, JSON.stringify(refused)).toMatchObject({ status: 401 });
      }
      for (const kind of kinds.filter((one) => !credentials.includes(one) || documents.test(path))) {
        const refused = await demo.call(demo.token(kind), method, filledIn(path), body);
        expect(refused, `${kind}: ${JSON.stringify(refused)}`).toMatchObject({ status: 403 });
      }
    });
  }
});

test('an agent sees and uses nothing of another agent’s', async ({ demo }) => {
  const session = await demo.openSession({ request: 'Look up the products.' });
  const query = { tool: 'database', operation: 'query', parameters: { query: 'SELECT name FROM products' } };
  const action = await demo.propose('harbor-assistant', session, query);
  const other = demo.token('agent', 'harbor-ops');
  const missing = await demo.call(other, 'GET', '/v1/actions/act_0123456789abcdefghij12');
  expect(missing.status).toBe(404);
  const attempts: readonly (readonly [string, string, object?])[] = [
    ['GET', `/v1/actions/${action.id}`],
    ['DELETE', `/v1/actions/${action.id}`],
    ['POST', `/v1/permits/${action.permit?.id ?? ''}/redeem`],
    ['POST', `/v1/actions/${action.id}/outcome`, { status: 'succeeded' }],
    ['POST', '/v1/actions', { session, ...query }],
  ];
  for (const [method, path, body] of attempts) {
    const refused = await demo.call(other, method, path, body);
    expect([refused.status, codeOf(refused)], `${method} ${path}`).toEqual([404, codeOf(missing)]);
  }
  expect(await demo.readAction('harbor-assistant', action.id)).toMatchObject({ state: 'permitted' });
});
