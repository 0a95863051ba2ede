import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';

import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { checkpointFile } from './checkpoint-file';
import { checkpointWebhook } from './checkpoint-webhook';

const [one, two] = ['log\n1\nAAAA\n\n— log BBBB\n', 'log\n2\nCCCC\n\n— log DDDD\n'];

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'countersign-sinks-'));
});
afterEach(async () => {
  await rm(folder, { recursive: true });
});

describe('a checkpoint file', () => {
  it('holds the newest checkpoint, whole, for anybody to read, and nothing is left beside it', async () => {
    const file = path.join(folder, 'log.checkpoint');
    const sink = checkpointFile(file);
    expect(await sink.newest()).toEqual({ ok: true, value: null });
    for (const note of [one, two]) expect(await sink.take(note, 0, false)).toEqual({ ok: true, value: { kind: 'taken' } });
    expect(await sink.newest()).toEqual({ ok: true, value: two });
    expect(await readFile(file, 'utf8')).toBe(two);
    expect((await stat(file)).mode & 0o444).toBe(0o444);
    expect(await readdir(folder)).toEqual(['log.checkpoint']);
  });

  it('that cannot be written says so, and does not say where it is', async () => {
    const given = await checkpointFile(path.join(folder, 'missing', 'log.checkpoint')).take(one, 0, true);
    expect(given).toMatchObject({ ok: false, error: { code: 'unavailable', detail: 'The checkpoint file cannot be written (ENOENT).' } });
    expect(await checkpointFile(folder).newest()).toMatchObject({ ok: false, error: { code: 'unavailable' } });
  });
});

describe('a checkpoint webhook', () => {
  let server: Server;
  let status: number;
  const seen: { headers: IncomingHttpHeaders; body: string; url: string | undefined }[] = [];
  beforeEach(async () => {
    status = 204;
    seen.length = 0;
    server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        seen.push({ headers: request.headers, body: Buffer.concat(chunks).toString('utf8'), url: request.url });
        if (status === 0) return;
        response.writeHead(status, status === 302 ? { location: '/elsewhere' } : {}).end();
      });
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
  });
  afterEach(() => {
    server.closeAllConnections();
    server.close();
  });

  const stateFile = () => path.join(folder, 'checkpoint-webhook.json');
  const webhook = (secret?: string, allowInner = true) =>
    checkpointWebhook({ address: { url: new URL(`http://127.0.0.1:${String((server.address() as AddressInfo).port)}/in`), allowInner, deadlineMs: 200 }, secret }, stateFile());

  it('receives the signed note as it is, with an HMAC of it when there is a secret', async () => {
    expect(await webhook('a secret of sixteen').take(one, 0, false)).toEqual({ ok: true, value: { kind: 'taken' } });
    const hmac = createHmac('sha256', 'a secret of sixteen').update(one).digest('hex');
    expect(seen).toMatchObject([{ body: one, url: '/in', headers: { 'content-type': 'text/plain; charset=utf-8', 'x-countersign-signature': `sha256=${hmac}` } }]);
    await webhook().take(two, 0, false);
    expect(seen.at(-1)?.headers).not.toHaveProperty('x-countersign-signature');
  });

  it('what arrived is known to the next process too', async () => {
    await webhook().take(one, 0, false);
    expect(await webhook().newest()).toEqual({ ok: true, value: one });
    expect((await stat(stateFile())).mode & 0o777).toBe(0o600);
  });

  it('that fails is asked again later each time, by the next process as well, and at once when the process ends', async () => {
    status = 500;
    const at: number[] = [];
    let now = 0;
    for (let turn = 0; turn < 4; turn++) {
      expect(await webhook().take(one, now, false)).toMatchObject({ ok: false, error: { detail: 'The webhook answered 500.' } });
      const later = await webhook().take(one, now + 1, false);
      if (!later.ok || later.value.kind !== 'later') throw new Error('It is asked at once.');
      at.push(later.value.at - now);
      now = later.value.at;
    }
    expect(at).toEqual([5000, 10_000, 20_000, 40_000]);
    expect(seen).toHaveLength(4);
    expect(await webhook().newest()).toEqual({ ok: true, value: null });
    status = 200;
    expect(await webhook().take(two, now - 1, true)).toEqual({ ok: true, value: { kind: 'taken' } });
    expect(await webhook().take(two, now, false)).toEqual({ ok: true, value: { kind: 'taken' } });
  });

  it('waits an hour at most, however often it has failed', async () => {
    await writeFile(stateFile(), JSON.stringify({ note: null, failures: 900, retry_at: null }));
    status = 503;
    await webhook().take(one, 0, false);
    expect(await webhook().take(one, 1, false)).toEqual({ ok: true, value: { kind: 'later', at: 3_600_000 } });
  });

  it('that answers with a redirect has not received it, and nothing is sent there', async () => {
    status = 302;
    expect(await webhook('a secret of sixteen').take(one, 0, false)).toMatchObject({ ok: false, error: { detail: 'The webhook answered 302.' } });
    expect(seen.map(({ url }) => url)).toEqual(['/in']);
  });

  it('that hangs fails by its deadline, and one on an inner network is asked only where that is allowed', async () => {
    status = 0;
    expect(await webhook().take(one, 0, true)).toMatchObject({ ok: false, error: { detail: 'The webhook did not answer in time.' } });
    expect(await webhook(undefined, false).take(one, 0, true)).toMatchObject({ ok: false, error: { code: 'unavailable' } });
  });

  it('of which it is not known what arrived is not asked, and says what to do', async () => {
    await writeFile(stateFile(), '{"note":');
    for (const answer of [await webhook().newest(), await webhook().take(one, 0, true)]) expect(answer).toMatchObject({ ok: false, error: { code: 'ledger_broken' } });
    expect(seen).toEqual([]);
    expect(await readFile(stateFile(), 'utf8')).toBe('{"note":');
  });
});
