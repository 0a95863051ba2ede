import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import os from 'node:os';
import path from 'node:path';

import { freePort, ready } from '@/lib/cli/temporary-plane';

/**
 * The same decisions in the words of Cerbos: what a session has seen comes along in each request, because Cerbos keeps no
 * context, and a cap on a number cannot be said, so that action is plainly allowed.
 */
const policies: Readonly<Record<string, string>> = {
  'notes.yaml': policyOf('notes', [rule('write', 'ALLOW')]),
  'database.yaml': policyOf('database', [
    rule('query', 'ALLOW'),
    rule('update', 'ALLOW'),
    rule('drop', 'DENY'),
    rule('delete', 'ALLOW', 'R.attr.owner == P.attr.email'),
  ]),
  'email.yaml': policyOf('email', [
    rule('send', 'ALLOW'),
    rule('send', 'DENY', '("PII" in R.attr.labels) && !R.attr.to.endsWith("@harbor.example")'),
  ]),
};

function policyOf(resource: string, rules: readonly string[]): string {
  return `apiVersion: api.cerbos.dev/v1\nresourcePolicy:\n  resource: ${resource}\n  version: default\n  rules:\n${rules.join('')}`;
}

function rule(action: string, effect: 'ALLOW' | 'DENY', when?: string): string {
  const condition = when === undefined ? '' : `      condition:\n        match:\n          expr: '${when}'\n`;
  return `    - actions: ["${action}"]\n      effect: EFFECT_${effect}\n      roles: ["assistant"]\n${condition}`;
}

export type Cerbos = { readonly url: string; readonly stop: () => Promise<void> };

/** The Cerbos server from the registry, with its file audit log, on an equivalent policy. */
export async function startCerbos(): Promise<Cerbos> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'countersign-cerbos-'));
  const [httpPort, grpcPort] = [await freePort(), await freePort()];
  await mkdir(path.join(folder, 'policies'));
  for (const [name, text] of Object.entries(policies)) await writeFile(path.join(folder, 'policies', name), text);
  const config = `server:
  httpListenAddr: "127.0.0.1:${String(httpPort)}"
  grpcListenAddr: "127.0.0.1:${String(grpcPort)}"
telemetry:
  disabled: true
storage:
  driver: disk
  disk:
    directory: ${path.join(folder, 'policies')}
    watchForChanges: false
audit:
  enabled: true
  accessLogsEnabled: false
  decisionLogsEnabled: true
  backend: file
  file:
    path: ${path.join(folder, 'audit.log')}
`;
  await writeFile(path.join(folder, 'config.yaml'), config);
  const binary = createRequire(import.meta.url).resolve('@cerbos/cerbos-linux-x64/cerbos-linux-x64');
  const child = spawn(binary, ['server', '--config', path.join(folder, 'config.yaml'), '--log-level', 'error'], { stdio: 'ignore' });
  const url = `http://127.0.0.1:${String(httpPort)}`;
  await ready(child, `${url}/_cerbos/health`);
  return {
    url,
    stop: async () => {
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      await ended;
      await rm(folder, { recursive: true, force: true });
    },
  };
}
