import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';

import { expect, test } from './fixture';
import { change } from './held-work';
import { runCommand } from './run-command';

/** Places spread over the whole bundle, its first and last byte among them. */
const samples = 20;

test('an auditor exports a bundle, and whoever has the root’s fingerprint verifies it', async ({ signIn, demo }) => {
  const page = await signIn('auditor');
  await page.goto(`${demo.console}/receipts`);
  await page.getByRole('button', { name: 'Export' }).click();
  const downloading = page.waitForEvent('download');
  await page.getByRole('dialog', { name: 'Export receipts' }).getByRole('link', { name: 'Export' }).click();
  const bundle = path.join(demo.stateDirectory, 'bundle');
  await (await downloading).saveAs(bundle);

  const root = ['--root', demo.rootFingerprint];
  const verified = await runCommand(demo, ['verify', bundle, ...root]);
  expect(verified, verified.stdout + verified.stderr).toMatchObject({ code: 0 });

  await test.step('without the fingerprint the issuer is not verified', async () => {
    const answer = await runCommand(demo, ['verify', bundle]);
    expect(answer, answer.stderr).toMatchObject({ code: 3 });
    expect(answer.stdout.toLowerCase()).toContain('issuer not verified');
  });
  await test.step('nor with another one', async () => {
    expect((await runCommand(demo, ['verify', bundle, '--root', '0'.repeat(64)])).code).toBe(1);
  });

});

test('no byte of a bundle can be changed', async ({ demo }) => {
  test.setTimeout(180_000);
  // A session's receipts: everything that a bundle is made of, in little.
  const session = await demo.openSession(change.session);
  const { approval } = await demo.propose('harbor-assistant', session, change.proposal);
  expect(approval).toBeDefined();
  const bundle = path.join(demo.stateDirectory, 'session-bundle');
  await expect(async () => {
    // Receipts enter a bundle once a checkpoint covers them.
    const exported = await runCommand(demo, ['export', '--session', session, '--out', bundle]);
    expect(exported, exported.stderr).toMatchObject({ code: 0 });
  }).toPass({ timeout: 30_000 });
  const root = ['--root', demo.rootFingerprint];
  expect((await runCommand(demo, ['verify', bundle, ...root])).code).toBe(0);

  const bytes = await readFile(bundle);
  const positions = Array.from({ length: samples }, (_, sample) => Math.round((sample / (samples - 1)) * (bytes.length - 1)));
  const verdicts = await inPairs(positions, async (position) => {
    const altered = path.join(demo.stateDirectory, `altered-${String(position)}`);
    const changed = Buffer.from(bytes);
    changed[position] = (changed[position] ?? 0) ^ 1;
    await writeFile(altered, changed);
    const { code } = await runCommand(demo, ['verify', altered, ...root]);
    return { position, refused: code === 1 || code === 2 };
  });
  expect(verdicts).toEqual(positions.map((position) => ({ position, refused: true })));
});

test('the running log checks out against its pins', async ({ demo }) => {
  const answer = await runCommand(demo, ['fsck']);
  expect(answer, answer.stderr).toMatchObject({ code: 0 });
  expect(answer.stdout).toContain('checks out');
});

test('the command exports what the page exports', async ({ demo }) => {
  const bundle = path.join(demo.stateDirectory, 'bundle-of-the-command');
  const exported = await runCommand(demo, ['export', '--out', bundle]);
  expect(exported, exported.stderr).toMatchObject({ code: 0 });
  expect((await runCommand(demo, ['verify', bundle, '--root', demo.rootFingerprint])).code).toBe(0);
});

/** Two at a time: as many as the smallest machine has processors. */
async function inPairs<Value, Answer>(values: readonly Value[], work: (value: Value) => Promise<Answer>): Promise<Answer[]> {
  const answers: Answer[] = [];
  for (let at = 0; at < values.length; at += 2) answers.push(...(await Promise.all(values.slice(at, at + 2).map(work))));
  return answers;
}
