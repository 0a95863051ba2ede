import { readFile } from 'node:fs/promises';
import path from 'node:path';

import { expect, test } from '../fixture';
import { repository } from '../product';

/** What answers everybody, and says nothing about anybody. */
const open = new Set(['/sign-in', '/set-up', '/verify', '/verify/verifier.html', '/_global-error', '/_not-found', '/api/health', '/api/own-name', '/api/auth/[...nextauth]', '/icon.svg']);

/** Pages and routes of the built console, by their folder. */
async function places(): Promise<{ readonly pages: readonly string[]; readonly routes: readonly string[] }> {
  const manifest = JSON.parse(await readFile(path.join(repository, '.next/server/app-paths-manifest.json'), 'utf8')) as Readonly<Record<string, string>>;
  const named = (end: string) =>
    Object.keys(manifest)
      .filter((key) => key.endsWith(end))
      .map((key) => key.slice(0, -end.length).replace(/\/\([^)]*\)/g, '') || '/')
      .filter((place) => !open.has(place));
  return { pages: named('/page'), routes: named('/route') };
}

const filledIn = (place: string): string => place.replace('[revision]', '1').replace(/\[[^\]]+\]/g, 'act_0123456789abcdefghij12');

test('an agent’s credential, and none, opens no page and no route of the console', async ({ openBrowser, demo }) => {
  const { pages, routes } = await places();
  expect(pages).toContain('/approvals');
  expect(routes).toContain('/api/receipts/export');
  const { request } = await openBrowser();
  const bearer = { authorization: `Bearer ${demo.token('agent')}`, cookie: `next-auth.session-token=${demo.token('agent')}` };

  for (const headers of [bearer, {}]) {
    for (const page of pages) {
      await test.step(`${page} leads to the sign-in`, async () => {
        const response = await request.get(demo.console + filledIn(page), { headers, maxRedirects: 0 });
        expect(response.status()).toBe(307);
        expect(response.headers()['location']).toMatch(/^\/sign-in(\?next=|$)/);
      });
    }
    for (const route of routes) {
      await test.step(`${route} is refused`, async () => {
        const response = await request.get(demo.console + filledIn(route), { headers });
        // Who asks is nobody: that is an answer, not a refusal.
        if (route === '/api/viewer') return expect(await response.json()).toBeNull();
        expect(response.status()).toBe(401);
        expect(await response.json()).toMatchObject({ error: { code: 'sign_in_needed' } });
      });
    }
  }
});

test('a requester’s session opens no page and no route of other roles', async ({ signIn, demo, mayComplain }) => {
  mayComplain(/403/);
  const page = await signIn('requester');
  for (const route of ['/api/receipts', '/api/receipts/export', '/api/policies', '/api/policies/1', '/api/guard-directories', '/api/proposals', '/api/proposals/prp_0123456789abcdefghij12', '/api/proposals/prp_0123456789abcdefghij12/proof', '/api/suggestions', '/api/agents', '/api/people', '/api/notices', '/api/enrolments', '/api/trust', '/api/pending-rosters']) {
    expect((await page.request.get(demo.console + route)).status(), route).toBe(403);
  }
  const [held] = ((await (await page.request.get(`${demo.console}/api/approvals`)).json()) as { readonly items: readonly object[] }).items;
  // They see what is held on their behalf, and nothing to decide.
  if (held) expect(held).toMatchObject({ human: demo.person('requester').email, mine_to_decide: false });
});
