import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { chmod, link, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { signerConformance } from '@/lib/testing/conformance/signer-conformance';

import { generateKey } from '../ed25519';
import { environmentSigner, fileSigner } from './key-signer';
import { kmsSigner } from './kms-signer';
import { readPrivateIfThere } from './private-file';

const key = generateKey();
const [, secretLine = ''] = key.pem.split('\n');

let folder: string;
let server: Server;
let answerWith: (request: IncomingMessage, body: { readonly key: string; readonly algorithm: string; readonly message: string }, response: ServerResponse) => void;
const seen: { authorization: string | undefined; body: unknown }[] = [];

const signs: typeof answerWith = (_request, body, response) => {
  void key.signer.sign(Buffer.from(body.message, 'base64')).then((signature) => {
    response.end(JSON.stringify({ key: body.key, signature: Buffer.from(signature).toString('base64') }));
  });
};

beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'countersign-signers-'));
  answerWith = signs;
  server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = JSON.parse(Buffer.concat(chunks).toString('utf8')) as Parameters<typeof answerWith>[1];
      seen.push({ authorization: request.headers.authorization, body });
      answerWith(request, body, response);
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterAll(async () => {
  server.closeAllConnections();
  server.close();
  await rm(folder, { recursive: true });
});

const kms = (changes: { readonly deadlineMs?: number; readonly allowInner?: boolean; readonly path?: string } = {}) =>
  kmsSigner({
    address: {
      url: new URL(changes.path ?? '/sign', `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`),
      token: 'the-bearer-token', allowInner: changes.allowInner ?? true, deadlineMs: changes.deadlineMs ?? 5000,
    },
    key: 'projects/x/keys/checkpoints',
    publicKey: key.publicKey,
  });

const fileWith = async (name: string, text: string, mode = 0o600): Promise<string> => {
  const file = path.join(folder, name);
  await writeFile(file, text, { mode });
  await chmod(file, mode);
  return file;
};

signerConformance('key file', async () => ({ signer: await fileSigner(await fileWith('good.pem', key.pem)), secret: secretLine }));
signerConformance('setting', async () => ({ signer: environmentSigner('PLANE_KEY', key.pem), secret: secretLine }));
signerConformance('key service', async () => ({ signer: kms(), secret: 'the-bearer-token' }));

describe('a key file', () => {
  it.each([0o640, 0o604, 0o620, 0o660, 0o644, 0o777, 0o601])('with mode %o, which lets others at it, is refused', async (mode) => {
    const file = await fileWith(`wide-${mode.toString(8)}.pem`, key.pem, mode);
    await expect(fileSigner(file)).rejects.toThrow('0600');
  });

  it('that only its owner may read is taken', async () => {
    expect((await fileSigner(await fileWith('read-only.pem', key.pem, 0o400))).keyId).toBe(key.id);
  });

  it('behind a symbolic link, or under two names, is refused', async () => {
    const file = await fileWith('linked.pem', key.pem);
    await symlink(file, path.join(folder, 'symbolic.pem'));
    await expect(fileSigner(path.join(folder, 'symbolic.pem'))).rejects.toThrow('symbolic link');
    await link(file, path.join(folder, 'second.pem'));
    await expect(fileSigner(file)).rejects.toThrow('one name');
  });

  it('that is a folder or a pipe is refused, without waiting for the pipe', async () => {
    await expect(fileSigner(folder)).rejects.toThrow();
    execFileSync('mkfifo', ['-m', '600', path.join(folder, 'pipe')]);
    await expect(fileSigner(path.join(folder, 'pipe'))).rejects.toThrow('ordinary');
  });

  it.skipIf(process.geteuid?.() !== 0)('of another user is refused (skipped: only root can make one)', async () => {
    const file = await fileWith('foreign.pem', key.pem);
    execFileSync('chown', ['65534', file]);
    await expect(fileSigner(file)).rejects.toThrow('65534');
  });

  it('that holds no Ed25519 key is refused without showing what it holds', async () => {
    const file = await fileWith('other.pem', 'hunter2');
    await expect(fileSigner(file)).rejects.toThrow(/^.*other\.pem holds no Ed25519/);
    await expect(fileSigner(file)).rejects.not.toThrow('hunter2');
    await expect(fileSigner(await fileWith('large.pem', key.pem + ' '.repeat(20_000)))).rejects.toThrow('no private key');
  });

  it('that is not there is told apart from one that must not be used', async () => {
    expect(await readPrivateIfThere(path.join(folder, 'nothing.pem'))).toBeUndefined();
    await expect(readPrivateIfThere(await fileWith('wide.pem', key.pem, 0o644))).rejects.toThrow('0600');
  });
});

describe('a key in a setting', () => {
  it('may have its line breaks written out, as containers hand settings over', () => {
    expect(environmentSigner('PLANE_KEY', key.pem.replaceAll('\n', '\\n')).keyId).toBe(key.id);
  });

  it('that is none is refused by the name of its setting', () => {
    expect(() => environmentSigner('PLANE_KEY', 'hunter2')).toThrow(/^PLANE_KEY holds no/);
  });
});

describe('a key service', () => {
  it('is told the key and the bytes, with the bearer token, and nothing else', async () => {
    answerWith = signs;
    await kms().sign(Uint8Array.of(1, 2, 3));
    expect(seen.at(-1)).toEqual({ authorization: 'Bearer the-bearer-token', body: { key: 'projects/x/keys/checkpoints', algorithm: 'ed25519', message: 'AQID' } });
  });

  const ends = (status: number, body: unknown, headers: Record<string, string> = {}): typeof answerWith => (_request, _body, response) => {
    response.writeHead(status, headers).end(typeof body === 'string' ? body : JSON.stringify(body));
  };
  const signature = Buffer.alloc(64).toString('base64');
  const name = 'projects/x/keys/checkpoints';
  it.each<[string, typeof answerWith, string]>([
    ['a signature of other bytes', (request, body, response) => signs(request, { ...body, message: 'AAAA' }, response), 'does not verify'],
    ['zeros', ends(200, { key: name, signature }), 'does not verify'],
    ['a signature that is too short', ends(200, { key: name, signature: 'AQID' }), 'does not verify'],
    ['a signature that is not canonical base64', ends(200, { key: name, signature: signature.replace('A==', 'B==') }), 'does not verify'],
    ['another key', ends(200, { key: 'other', signature }), 'another key'],
    ['a field more', ends(200, { key: name, signature, hint: 'x' }), 'something else'],
    ['no JSON', ends(200, 'signed!'), 'something else'],
    ['a signature twice', ends(200, `{"key":"${name}","signature":"","signature":"${signature}"}`), 'something else'],
    ['an error', ends(500, {}), 'answered 500'],
    ['a refusal', ends(403, {}), 'answered 403'],
    ['a redirect, which is not followed', ends(307, '', { location: '/elsewhere' }), 'answered 307'],
    ['too much', ends(200, 'x'.repeat(10_000)), 'more than 4096'],
    ['a connection that breaks', (request) => void request.socket.destroy(), 'could not be reached'],
  ])('that answers with %s has signed nothing', async (_what, answer, words) => {
    answerWith = answer;
    await expect(kms().sign(Uint8Array.of(9))).rejects.toMatchObject({ name: 'SignerUnavailable', message: expect.stringContaining(words) as string });
  });

  it('that hangs has signed nothing by its deadline', async () => {
    answerWith = () => undefined;
    await expect(kms({ deadlineMs: 80 }).sign(Uint8Array.of(9))).rejects.toThrow('within 80 ms');
  });

  it('on an inner network is asked only where that is allowed', async () => {
    await expect(kms({ allowInner: false }).sign(Uint8Array.of(9))).rejects.toThrow('not at a public');
  });
});
