import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';

import { expect, test } from './fixture';
import { runCommand } from './run-command';

/** Places spread over the whole bundle, its first and last byte among them. */
const samples = 20;

test('an auditor exports a bundle that verifies with the root’s fingerprint, and with no byte of it changed', async ({ signIn, demo }) => {
  const page = await signIn('auditor');
  await page.goto(`${demo.console}/receipts`);
  await page.getByRole('button', { name: 'Export a bundle' }).click();
  const downloading = page.waitForEvent('download');
  await page.getByRole('dialog', { name: 'Export a bundle' }).getByRole('link', { name: 'Export' }).click();
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

  const bytes = await readFile(bundle);
  const altered = path.join(demo.stateDirectory, 'altered-bundle');
  for (let sample = 0; sample < samples; sample++) {
    const position = Math.round((sample / (samples - 1)) * (bytes.length - 1));
    await test.step(`byte ${String(position)} of ${String(bytes.length)}`, async () => {
      const changed = Buffer.from(bytes);
      changed[position] = (changed[position] ?? 0) ^ 1;
      await writeFile(altered, changed);
      const refused = await runCommand(demo, ['verify', altered, ...root]);
      expect([1, 2], refused.stdout).toContain(refused.code);
    });
  }
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
