import { z } from 'zod';

import { fromBase64 } from '@/lib/shared/encoding';

import type { ServiceAddress } from './post-json';

/** Where the processes' own keys come from, when not from the state directory: PKCS#8 PEM. `next` is the successor in a rotation. */
export type KeySettings = { readonly key: string | undefined; readonly next: string | undefined };

/** A key service for checkpoints. Its token may stand in a file, so that it is in no list of processes. */
export type CheckpointKmsSettings = {
  readonly address: Omit<ServiceAddress, 'token'>;
  readonly token: string | undefined;
  readonly tokenFile: string | undefined;
  readonly key: string;
  readonly publicKey: Uint8Array;
};

/** Where checkpoints are posted. `secret`: each body is authenticated with it (HMAC-SHA-256). */
export type CheckpointWebhookSettings = { readonly address: Omit<ServiceAddress, 'token'>; readonly secret: string | undefined };

const pem = z.string().max(16 * 1024).regex(/^\s*-----BEGIN PRIVATE KEY-----/, 'must be a private key in PEM (PKCS#8)').optional();
const address = z.url({ protocol: /^https?$/ }).optional();
const yesOrNo = z.enum(['true', 'false']).optional();
const deadline = z.coerce.number().int().min(50).max(30_000).optional();

export const signingFields = {
  CONSOLE_KEY: pem,
  CONSOLE_KEY_NEXT: pem,
  PLANE_KEY: pem,
  PLANE_KEY_NEXT: pem,
  CHECKPOINT_KMS_URL: address,
  CHECKPOINT_KMS_KEY: z.string().min(1).max(1024).optional(),
  CHECKPOINT_KMS_PUBLIC_KEY: z.string().refine((text) => fromBase64(text)?.length === 32, 'must be the 32 raw bytes of an Ed25519 public key in base64').optional(),
  CHECKPOINT_KMS_TOKEN: z.string().regex(/^[\x21-\x7e]{1,4096}$/, 'must be one token without blanks').optional(),
  CHECKPOINT_KMS_TOKEN_FILE: z.string().min(1).optional(),
  CHECKPOINT_KMS_ALLOW_PRIVATE: yesOrNo,
  CHECKPOINT_KMS_DEADLINE_MS: deadline,
  CHECKPOINT_FILE: z.string().min(1).optional(),
  CHECKPOINT_WEBHOOK_URL: address,
  CHECKPOINT_WEBHOOK_SECRET: z.string().min(16, 'must have at least 16 characters').optional(),
  CHECKPOINT_WEBHOOK_ALLOW_PRIVATE: yesOrNo,
  CHECKPOINT_WEBHOOK_DEADLINE_MS: deadline,
};

type Found = z.infer<z.ZodObject<typeof signingFields>>;
type Name = keyof typeof signingFields;

/** Half a configuration is a fault by name: a key service or an export that somebody counts on must not be left out. */
export function checkSigning(found: Found, fault: (name: string, message: string) => void): void {
  for (const group of ['CHECKPOINT_KMS', 'CHECKPOINT_WEBHOOK'] as const) {
    const url = found[`${group}_URL`];
    if (url === undefined) {
      for (const [name, value] of Object.entries(found)) {
        if (name.startsWith(`${group}_`) && value !== undefined) fault(name, `means nothing without ${group}_URL`);
      }
      continue;
    }
    const { protocol, username, password } = new URL(url);
    if (username !== '' || password !== '') fault(`${group}_URL`, 'must not hold a password');
    if (protocol === 'http:' && found[`${group}_ALLOW_PRIVATE`] !== 'true') fault(`${group}_URL`, `must be https, or set ${group}_ALLOW_PRIVATE=true for a server of your own network`);
  }
  if (found.CHECKPOINT_KMS_URL === undefined) return;
  const needed: readonly Name[] = ['CHECKPOINT_KMS_KEY', 'CHECKPOINT_KMS_PUBLIC_KEY'];
  for (const name of needed) if (found[name] === undefined) fault(name, 'must be set with CHECKPOINT_KMS_URL');
  const tokens = [found.CHECKPOINT_KMS_TOKEN, found.CHECKPOINT_KMS_TOKEN_FILE].filter((one) => one !== undefined).length;
  if (tokens !== 1) fault('CHECKPOINT_KMS_TOKEN', 'or CHECKPOINT_KMS_TOKEN_FILE must be set with CHECKPOINT_KMS_URL, and not both');
}

export const keySettings = (found: Found, role: 'CONSOLE' | 'PLANE'): KeySettings | undefined =>
  found[`${role}_KEY`] === undefined && found[`${role}_KEY_NEXT`] === undefined ? undefined : { key: found[`${role}_KEY`], next: found[`${role}_KEY_NEXT`] };

/** Undefined: none is configured. Of settings that were checked. */
export function checkpointKmsSettings(found: Found): CheckpointKmsSettings | undefined {
  const publicKey = fromBase64(found.CHECKPOINT_KMS_PUBLIC_KEY ?? '');
  if (found.CHECKPOINT_KMS_URL === undefined || found.CHECKPOINT_KMS_KEY === undefined || publicKey?.length !== 32) return undefined;
  return {
    address: { url: new URL(found.CHECKPOINT_KMS_URL), allowInner: found.CHECKPOINT_KMS_ALLOW_PRIVATE === 'true', deadlineMs: found.CHECKPOINT_KMS_DEADLINE_MS ?? 5000 },
    token: found.CHECKPOINT_KMS_TOKEN,
    tokenFile: found.CHECKPOINT_KMS_TOKEN_FILE,
    key: found.CHECKPOINT_KMS_KEY,
    publicKey,
  };
}

/** Undefined: none is configured. Of settings that were checked. */
export function checkpointWebhookSettings(found: Found): CheckpointWebhookSettings | undefined {
  if (found.CHECKPOINT_WEBHOOK_URL === undefined) return undefined;
  return {
    address: { url: new URL(found.CHECKPOINT_WEBHOOK_URL), allowInner: found.CHECKPOINT_WEBHOOK_ALLOW_PRIVATE === 'true', deadlineMs: found.CHECKPOINT_WEBHOOK_DEADLINE_MS ?? 5000 },
    secret: found.CHECKPOINT_WEBHOOK_SECRET,
  };
}
