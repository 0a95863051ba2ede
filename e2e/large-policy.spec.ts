import { readFile } from 'node:fs/promises';
import path from 'node:path';

import { exportedActions, postAction, valueOf } from './console-actions';
import { present } from './demo';
import { expect, test } from './fixture';
import { repository } from './product';

const mebibyte = 1024 * 1024;

test('a policy as large as policies may be reaches the console whole, with a signature over all of it', async ({ signIn, demo }) => {
  const owner = (await signIn('owner')).request;
  const actions = await exportedActions();
  const action = (name: string) => present(actions.find((one) => one.name === name), name);
  const start = await readFile(path.join(repository, 'policies/starter.yaml'), 'utf8');
  const text = start + `# "quoted"\n`.repeat(Math.floor((4 * mebibyte - start.length) / 11));
  expect(text.length).toBeGreaterThan(4 * mebibyte - 20);

  const prepared = await postAction(owner, demo.console, action('prepareProposal'), { text, format: 'yaml' });
  expect(prepared.status).toBe(200);
  expect(prepared.refusal ?? valueOf(prepared)).not.toBe('invalid_input');

  const payload = Buffer.from(text).toString('base64');
  const signature = JSON.stringify({ payload, payloadType: 'x', signatures: [{ keyid: 'a', sig: Buffer.alloc(64).toString('base64') }] });
  const applied = await postAction(owner, demo.console, action('signProposals'), { proposals: ['prp_0123456789abcdefghij12'], statement: signature.replace(payload, ''), documents: [[{ envelope: signature }, { envelope: signature.replace(payload, '') }]] });
  expect(applied.status).toBe(200);
  expect(applied.refusal).toBe('not_found');

  // Whoever changes the owners may have to sign the policy in force anew, with the root.
  const anew = await postAction(owner, demo.console, action('signTrustChange'), { change: { cool_off_seconds: 60 }, at: new Date().toISOString(), policy: signature });
  expect(anew.status).toBe(200);
  expect(anew.refusal).toBe('signature_invalid');
});
