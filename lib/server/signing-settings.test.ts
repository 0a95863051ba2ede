import { describe, expect, test } from 'vitest';

import { toBase64 } from '@/lib/shared/encoding';

import { generateKey } from './ed25519';
import { parseEnvironment } from './env';

const key = generateKey();
const kms = {
  CHECKPOINT_KMS_URL: 'https://kms.example/v1/sign', CHECKPOINT_KMS_KEY: 'log', CHECKPOINT_KMS_PUBLIC_KEY: toBase64(key.publicKey), CHECKPOINT_KMS_TOKEN: 'token',
};

describe('settings of keys and checkpoints', () => {
  test('are all unset by default: keys come from the state directory, and nothing is exported', () => {
    const found = parseEnvironment({});
    expect([found.consoleKey, found.planeKey, found.checkpointKms, found.checkpointFile, found.checkpointWebhook]).toEqual(Array.from({ length: 5 }));
  });

  test('say where keys are, a successor included', () => {
    expect(parseEnvironment({ PLANE_KEY: key.pem, PLANE_KEY_NEXT: key.pem }).planeKey).toEqual({ key: key.pem, next: key.pem });
  });

  test('say which key service signs checkpoints, and where they go', () => {
    expect(parseEnvironment(kms).checkpointKms).toEqual({
      address: { url: new URL('https://kms.example/v1/sign'), allowInner: false, deadlineMs: 5000 }, token: 'token', tokenFile: undefined, key: 'log', publicKey: key.publicKey,
    });
    const webhook = { CHECKPOINT_WEBHOOK_URL: 'http://10.0.0.3/in', CHECKPOINT_WEBHOOK_ALLOW_PRIVATE: 'true', CHECKPOINT_WEBHOOK_SECRET: 'sixteen letters!', CHECKPOINT_WEBHOOK_DEADLINE_MS: '900' };
    expect(parseEnvironment(webhook).checkpointWebhook).toEqual({ address: { url: new URL('http://10.0.0.3/in'), allowInner: true, deadlineMs: 900 }, secret: 'sixteen letters!' });
  });

  test.each<[string, Record<string, string>, string]>([
    ['a key that is none', { PLANE_KEY: 'hunter2' }, 'PLANE_KEY'],
    ['a public key of another length', { ...kms, CHECKPOINT_KMS_PUBLIC_KEY: 'AAAA' }, 'CHECKPOINT_KMS_PUBLIC_KEY'],
    ['a key service without its key', { ...kms, CHECKPOINT_KMS_KEY: '' }, 'CHECKPOINT_KMS_KEY'],
    ['a key service without a public key to check it by', { ...kms, CHECKPOINT_KMS_PUBLIC_KEY: '' }, 'CHECKPOINT_KMS_PUBLIC_KEY'],
    ['a key service without a token', { ...kms, CHECKPOINT_KMS_TOKEN: '' }, 'CHECKPOINT_KMS_TOKEN'],
    ['a key service with two tokens', { ...kms, CHECKPOINT_KMS_TOKEN_FILE: '/x' }, 'CHECKPOINT_KMS_TOKEN'],
    ['a token of a key service that is not there', { CHECKPOINT_KMS_TOKEN: 'token' }, 'CHECKPOINT_KMS_TOKEN'],
    ['a key service without encryption', { ...kms, CHECKPOINT_KMS_URL: 'http://kms.example/' }, 'CHECKPOINT_KMS_URL'],
    ['a password in an address', { CHECKPOINT_WEBHOOK_URL: 'https://user:hunter2@example.com/' }, 'CHECKPOINT_WEBHOOK_URL'],
    ['a webhook without encryption', { CHECKPOINT_WEBHOOK_URL: 'http://example.com/' }, 'CHECKPOINT_WEBHOOK_URL'],
    ['a secret that can be guessed', { CHECKPOINT_WEBHOOK_URL: 'https://example.com/', CHECKPOINT_WEBHOOK_SECRET: 'short' }, 'CHECKPOINT_WEBHOOK_SECRET'],
    ['a secret of a webhook that is not there', { CHECKPOINT_WEBHOOK_SECRET: 'sixteen letters!' }, 'CHECKPOINT_WEBHOOK_SECRET'],
    ['no time at all', { ...kms, CHECKPOINT_KMS_DEADLINE_MS: '0' }, 'CHECKPOINT_KMS_DEADLINE_MS'],
  ])('%s is refused by name, and never repeated', (_what, source, name) => {
    expect(() => parseEnvironment(source)).toThrow(name);
    expect(() => parseEnvironment(source)).not.toThrow('hunter2');
  });
});
