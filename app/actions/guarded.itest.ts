import { mkdtemp, rm } from 'node:fs/promises';
import { readdirSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';

import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';

import { permissions } from '@/lib/authority/roles';
import type { ActionResult } from '@/lib/contracts/console/action-result';
import type { Viewer } from '@/lib/contracts/console/viewer';
import { createLogger } from '@/lib/server/logger';
import type { ConsoleParts } from '@/lib/services/console/console-parts';
import { testConsole } from '@/lib/testing/console-fixture';
import { openTestStores, type TestStores } from '@/lib/testing/test-stores';

const state = vi.hoisted((): { viewer: unknown; parts: unknown } => ({ viewer: null, parts: undefined }));
vi.mock('@/lib/server/get-viewer', () => ({ getViewer: async () => state.viewer }));
vi.mock('@/lib/server/runtime-or-fault', () => ({
  runtimeOrFault: async () => ({ ok: true, value: { parts: state.parts, logger: createLogger('test', { level: 'error', write: () => undefined }) } }),
}));

type Action = (input: unknown) => Promise<ActionResult<unknown>>;

const modules = readdirSync(import.meta.dirname).filter((file) => file.endsWith('.ts') && !/\.(test|itest)\.ts$/.test(file));
const actions = (
  await Promise.all(modules.map(async (file) => Object.entries((await import(/* @vite-ignore */ path.join(import.meta.dirname, file))) as Record<string, Action>).map(([name, action]) => [`${file} ${name}`, action] as const)))
).flat();

let database: TestStores;
let stateDirectory: string;
let close: () => Promise<void>;
let parts: ConsoleParts;

beforeAll(async () => {
  database = await openTestStores();
  stateDirectory = await mkdtemp(path.join(os.tmpdir(), 'countersign-actions-'));
  ({ parts, close } = await testConsole({ databaseUrl: database.url, workspace: database.workspace, stateDirectory }));
  state.parts = parts;
});
afterAll(async () => {
  await close();
  await database.close();
  await rm(stateDirectory, { recursive: true, force: true });
});

const size = async () => Number((await parts.log.head()).size);

describe('without a session', () => {
  it.each(actions)('%s is refused, whatever it is sent, and changes nothing', async (_name, action) => {
    state.viewer = null;
    const before = await size();
    for (const input of [undefined, null, 'x', {}, { link: 'setup_guess' }, { __proto__: { permission: 'all' } }, [{}]]) {
      const result = await action(input);
      expect(result.ok).toBe(false);
      if (!result.ok) expect(['sign_in_needed', 'set_up_link_invalid']).toContain(result.error.code);
    }
    expect(await size()).toBe(before);
  });
});

describe('with a session whose roster entry gives nothing', () => {
  const nobody: Viewer = { person: 'per_0123456789abcdefghij' as never, email: 'x@y.example', name: 'X', roles: [], groups: [], keys: [], permissions: [] };

  it.each(actions)('%s is refused', async (_name, action) => {
    state.viewer = nobody;
    const result = await action({});
    expect(result.ok).toBe(false);
    if (!result.ok) expect(['forbidden', 'set_up_link_invalid']).toContain(result.error.code);
  });
});

describe('with every permission', () => {
  it.each(actions)('%s answers a wrong input with its places, and throws nothing', async (_name, action) => {
    state.viewer = { person: 'per_0123456789abcdefghij', email: 'x@y.example', name: 'X', roles: [], groups: [], keys: [], permissions };
    for (const input of [undefined, 7, {}, { unknown: true }]) {
      const result = await action(input);
      expect(result.ok).toBe(false);
      // One that asks for nothing takes an empty input, and then finds that there is no policy yet.
      if (!result.ok) expect(['invalid_input', 'set_up_link_invalid', ...(JSON.stringify(input) === '{}' ? ['policy_unsigned'] : [])]).toContain(result.error.code);
    }
  });

  it('a fault of ours is answered without its cause', async () => {
    state.viewer = { person: 'per_0123456789abcdefghij', email: 'x@y.example', name: 'X', roles: [], groups: [], keys: [], permissions };
    state.parts = { ...parts, authority: { ...parts.authority, throwSwitch: async () => { throw new Error('secret detail of a row'); } } };
    const { throwSwitch } = await import('./switches');
    const result = await throwSwitch({ scope: 'all', reason: 'now' });
    state.parts = parts;
    expect(result.ok).toBe(false);
    expect(JSON.stringify(result)).not.toContain('secret detail');
    if (!result.ok) expect(result.error.code).toBe('internal');
  });
});
