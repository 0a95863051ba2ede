import { spawnSync, type SpawnSyncReturns } from 'node:child_process';
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

import { build } from 'esbuild';
import { expect, type TestContext } from 'vitest';

const root = path.resolve(import.meta.dirname, '../..');

/** Two users of this machine that need no account. Root may become both; nobody else may. */
export const guardUsers = { owner: 62_001, agent: 62_002, stranger: 62_003 } as const;
export type GuardUser = keyof typeof guardUsers;

export type Ran = { readonly code: number | null; readonly out: string; readonly err: string };
export type GuardStage = ReturnType<typeof stageIn>;

/** Why two users cannot be had here; undefined when they can. */
function noTwoUsers(): string | undefined {
  if (process.getuid?.() !== 0) return 'only root can run processes as two other users';
  const tried = spawnSync(process.execPath, ['--version'], { uid: guardUsers.agent, gid: guardUsers.agent });
  return tried.status === 0 ? undefined : `another user cannot run ${process.execPath}`;
}

let built: Promise<string> | undefined;

/** The `guard` program, bundled once a process into a folder that every user may read, wherever this repository is. */
function program(): Promise<string> {
  built ??= (async () => {
    const folder = openFolder('countersign-guard-program-');
    process.once('exit', () => fs.rmSync(folder, { recursive: true, force: true }));
    const outfile = path.join(folder, 'guard.mjs');
    await build({ absWorkingDir: root, entryPoints: ['lib/cli/guard.ts'], outfile, bundle: true, platform: 'node', format: 'esm', target: 'node20', logLevel: 'error' });
    fs.chmodSync(outfile, 0o755);
    return outfile;
  })();
  return built;
}

function openFolder(prefix: string): string {
  const folder = fs.mkdtempSync(path.join(fs.realpathSync(os.tmpdir()), prefix));
  fs.chmodSync(folder, 0o755);
  return folder;
}

/** A folder of an owner's, in which a state directory may be made between the owner and an agent. Skips the test where two users cannot be had. */
export async function guardStage({ skip }: Pick<TestContext, 'skip'>): Promise<GuardStage> {
  const impossible = noTwoUsers();
  return impossible === undefined ? stageIn(openFolder('countersign-guard-'), await program()) : skip(impossible);
}

function stageIn(outer: string, guardProgram: string) {
  const folder = path.join(outer, 'owner');
  fs.mkdirSync(folder);
  fs.chownSync(folder, guardUsers.owner, guardUsers.owner);
  fs.chmodSync(folder, 0o755);
  const state = path.join(folder, 'state');
  const [inbox, managed] = [path.join(state, 'inbox'), path.join(state, 'managed')];
  const allowlistFile = path.join(managed, 'allowlist.json');
  const run = (user: GuardUser, ...[command = '', ...args]: readonly string[]): Ran =>
    ran(spawnSync(command, args, { uid: guardUsers[user], gid: guardUsers[user], cwd: folder, encoding: 'utf8', timeout: 60_000, env: { NODE_ENV: 'test', PATH: process.env['PATH'] } }));
  const guard = (user: GuardUser, ...args: readonly string[]): Ran => run(user, process.execPath, guardProgram, 'guard', ...args);
  /** JavaScript by one of the users; its arguments are the last of `process.argv`. */
  const script = (user: GuardUser, source: string, ...args: readonly string[]): Ran => run(user, process.execPath, '--input-type=module', '--eval', source, '--', ...args);
  const allowlist = () => JSON.parse(fs.readFileSync(allowlistFile, 'utf8')) as { readonly revision: number; readonly allowlist: readonly string[] };
  const list = (): Ran => guard('owner', 'list', '--state', state);
  const init = (): Ran => guard('owner', 'init', '--state', state, '--agent-uid', String(guardUsers.agent));
  return {
    folder, state, inbox, managed, allowlistFile, program: guardProgram, run, guard, script, allowlist, list,
    init,
    begin: (): void => {
      expect(init()).toMatchObject({ code: 0, err: '' });
    },
    ask: (permission: string, user: GuardUser = 'agent', reason = 'a reason'): Ran => guard(user, 'self-request', '--state', state, '--permission', permission, '--reason', reason),
    check: (operation: string, user: GuardUser = 'agent'): Ran => guard(user, 'check', '--state', state, '--operation', operation),
    apply: (...more: readonly string[]): Ran => guard('owner', 'apply-proposal', '--state', state, ...more, '--confirm', 'APPLY_PROPOSAL'),
    reject: (id: string, reason: string): Ran => guard('owner', 'reject', '--state', state, '--id', id, '--reason', reason),
    idsListed: (): string[] => [...list().out.matchAll(/^proposal_sha256: ([0-9a-f]{64})$/gm)].map(([, id]) => id ?? ''),
    inInbox: (): string[] => fs.readdirSync(inbox).sort(),
    /** A proposal as somebody may write it by hand, on the allowlist in force. */
    proposalText: (permission: string, change: Readonly<Record<string, unknown>> = {}): string =>
      JSON.stringify({
        schema: 'self-modification-proposal/v1', requested_by: 'guard-self', requested_at: '2026-01-01T00:00:00+00:00', base_revision: allowlist().revision,
        base_allowlist_sha256: sha256Of(allowlistFile), add_permission: permission, reason: 'by hand', ...change,
      }),
    drop: (name: string, text: string, user: GuardUser = 'agent'): Ran =>
      script(user, 'import fs from "node:fs"; fs.writeFileSync(process.argv.at(-2), process.argv.at(-1))', path.join(inbox, name), text),
    close: () => fs.rmSync(outer, { recursive: true, force: true }),
  };
}

/** What a refusal writes to stderr. */
export const oneErrorLine = /^error: [^\n]+\n$/;

export const sha256Of = (file: string): string => createHash('sha256').update(fs.readFileSync(file)).digest('hex');

const ran = ({ status, stdout, stderr }: SpawnSyncReturns<string>): Ran => ({ code: status, out: stdout, err: stderr });

/** Mode bits of a path, as they are written: 0755. */
export const modeOf = (file: string): string => (fs.lstatSync(file).mode & 0o7777).toString(8).padStart(4, '0');
