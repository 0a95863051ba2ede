import { spawn, type ChildProcess } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { freePort } from '@/lib/db/embedded/free-port';
import type { Program } from '@/lib/cli/supervisor/program';

const root = path.resolve(import.meta.dirname, '../..');

/** Notes its start and process id, then answers 200 until it is told to end. */
const service = `
import fs from 'node:fs';
import http from 'node:http';
const [, , name, folder, port] = process.argv;
fs.appendFileSync(folder + '/events', name + '\\n');
fs.writeFileSync(folder + '/' + name + '.database', process.env.DATABASE_URL);
http.createServer((_request, response) => response.end('ok')).listen(Number(port), '127.0.0.1', () => {
  fs.writeFileSync(folder + '/' + name + '.pid', String(process.pid));
});
process.on('SIGTERM', () => process.exit(0));
`;

const step = `
import fs from 'node:fs';
const [, , name, folder] = process.argv;
fs.appendFileSync(folder + '/events', name + '\\n');
`;

const broken = `process.exit(3);`;

/** A supervisor in a process of its own, over fake programs, with everything it writes and leaves in one temporary folder. */
export class FakeInstallation {
  readonly folder = fs.mkdtempSync(path.join(os.tmpdir(), 'countersign-supervisor-'));
  readonly state = path.join(this.folder, 'state');
  private readonly started: ChildProcess[] = [];

  constructor() {
    fs.mkdirSync(this.state, { mode: 0o700 });
    for (const [name, text] of Object.entries({ service, step, broken })) fs.writeFileSync(path.join(this.folder, `${name}.mjs`), text);
  }

  async service(name: string): Promise<Program> {
    const port = await freePort();
    const args = [path.join(this.folder, 'service.mjs'), name, this.folder, String(port)];
    return { name, args, healthUrl: `http://127.0.0.1:${String(port)}/` };
  }

  step(name: string): Program {
    return { name, args: [path.join(this.folder, 'step.mjs'), name, this.folder] };
  }

  broken(name: string): Program {
    return { name, args: [path.join(this.folder, 'broken.mjs')], healthUrl: 'http://127.0.0.1:9/' };
  }

  /** With `underNpm` a process stands between, as npm does; `child` is that one. */
  start(plan: { before?: Program[]; services?: Program[]; followers?: Program[]; after?: Program[] }, { underNpm = false } = {}): Supervisor {
    const fakes = { before: [], services: [], followers: [], after: [], ...plan };
    const args = ['--import', 'tsx', 'lib/testing/supervise-fakes.ts', this.state, JSON.stringify(fakes)];
    const between = "const { spawn } = require('node:child_process'); spawn(process.execPath, process.argv.slice(1), { stdio: 'inherit' })";
    // The options of the supervisor would be taken for the in-between process's own without the two dashes.
    const argv = underNpm ? ['--eval', between, '--', ...args] : args;
    const npm = underNpm ? { npm_lifecycle_event: 'start' } : {};
    const { npm_lifecycle_event: _inherited, ...env } = process.env;
    const child = spawn(process.execPath, argv, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'], env: { ...env, ...npm } });
    this.started.push(child);
    return new Supervisor(child);
  }

  /** What the programs noted, in order. */
  events(): string[] {
    return this.read('events').split('\n').filter(Boolean);
  }

  pid(name: string): number {
    return Number(this.read(`${name}.pid`));
  }

  databasePid(): number {
    return Number(this.read('state/postgres/postmaster.pid').split('\n')[0]);
  }

  read(file: string): string {
    const full = path.join(this.folder, file);
    return fs.existsSync(full) ? fs.readFileSync(full, 'utf8') : '';
  }

  remove(): void {
    for (const child of this.started) child.kill('SIGKILL');
    fs.rmSync(this.folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
  }
}

class Supervisor {
  output = '';
  readonly ended: Promise<number | null>;

  constructor(readonly child: ChildProcess) {
    for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk: Buffer) => (this.output += chunk.toString()));
    this.ended = new Promise((resolve) => child.once('close', resolve));
  }

  get isReady(): boolean {
    return this.output.includes('READY');
  }
}

/** Whether a process exists and is more than an entry its parent has not read yet. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return !/^State:\s+Z/m.test(fs.readFileSync(`/proc/${String(pid)}/status`, 'utf8'));
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT' && process.platform !== 'linux') return true;
    return false;
  }
}
