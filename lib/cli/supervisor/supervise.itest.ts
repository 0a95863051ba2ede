import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { FakeInstallation, isRunning } from '@/lib/testing/fake-programs';

const patience = { timeout: 40_000, interval: 50 };
vi.setConfig({ testTimeout: 120_000 });
const until = (condition: () => boolean): Promise<unknown> => vi.waitUntil(condition, patience);

let installation: FakeInstallation;

beforeEach(() => {
  installation = new FakeInstallation();
});

afterEach(() => {
  installation.remove();
});

async function startTwo() {
  const services = [await installation.service('plane'), await installation.service('console')];
  const supervisor = installation.start({ services });
  await until(() => supervisor.isReady);
  return { services, supervisor };
}

const everything = (): number[] => [installation.pid('plane'), installation.pid('console'), installation.databasePid()];

describe('supervisor', () => {
  test('steps before, services, followers and steps after run in that order', async () => {
    const supervisor = installation.start({
      before: [installation.step('setup')],
      services: [await installation.service('plane')],
      followers: [await installation.service('agent')],
      after: [installation.step('finish')],
    });
    await until(() => supervisor.isReady);
    await until(() => installation.events().length === 4);
    expect(installation.events().filter((name) => name !== 'agent')).toEqual(['setup', 'plane', 'finish']);
    expect(installation.events().indexOf('agent')).toBeGreaterThan(installation.events().indexOf('plane'));
    expect(supervisor.output).not.toContain('ended with');
  });

  test.each(['SIGTERM', 'SIGINT'] as const)('%s ends every program and the database', async (signal) => {
    const { supervisor } = await startTwo();
    const pids = everything();
    supervisor.child.kill(signal);
    expect(await supervisor.ended).toBe(0);
    expect(pids.filter(isRunning)).toEqual([]);
  });

  test('a killed supervisor leaves no orphan, and the next start goes on', async () => {
    const { services, supervisor } = await startTwo();
    const pids = everything();
    supervisor.child.kill('SIGKILL');
    const next = installation.start({ services });
    await until(() => pids.every((pid) => !isRunning(pid)));
    await until(() => next.isReady);
    expect(everything().every(isRunning)).toBe(true);
  });

  test('the end of the npm that started it stops everything', async () => {
    const supervisor = installation.start({ services: [await installation.service('plane')] }, { underNpm: true });
    await until(() => supervisor.isReady);
    const pids = [installation.pid('plane'), installation.databasePid()];
    supervisor.child.kill('SIGKILL');
    await until(() => pids.every((pid) => !isRunning(pid)));
    expect(await supervisor.ended).toBe(null);
    expect(supervisor.output).toContain('Stopping');
  });

  test('a Ctrl-C that arrives twice, from the terminal and from npm, stops in order', async () => {
    const { supervisor } = await startTwo();
    const pids = everything();
    supervisor.child.kill('SIGINT');
    await until(() => supervisor.output.includes('Stopping'));
    supervisor.child.kill('SIGINT');
    expect(await supervisor.ended).toBe(0);
    expect(pids.filter(isRunning)).toEqual([]);
  });

  test('a killed program is started again', async () => {
    await startTwo();
    const before = installation.pid('plane');
    process.kill(before, 'SIGKILL');
    await until(() => installation.pid('plane') !== before && isRunning(installation.pid('plane')));
    expect(installation.events().filter((name) => name === 'plane')).toHaveLength(2);
  });

  test('a killed database comes back where the programs know it', async () => {
    const { supervisor } = await startTwo();
    const before = installation.databasePid();
    const port = installation.read('state/postgres/postmaster.pid').split('\n')[3];
    process.kill(before, 'SIGKILL');
    await until(() => installation.databasePid() !== before && isRunning(installation.databasePid()));
    await until(() => installation.read('state/postgres/postmaster.pid').includes('ready'));
    expect(installation.read('state/postgres/postmaster.pid').split('\n')[3]).toBe(port);
    supervisor.child.kill('SIGTERM');
    expect(await supervisor.ended).toBe(0);
  });

  test('a second supervisor on the same state is refused and disturbs nothing', async () => {
    await startTwo();
    const pids = everything();
    const second = installation.start({});
    expect(await second.ended).toBe(1);
    expect(second.output).toContain('already runs');
    expect(pids.every(isRunning)).toBe(true);
  });

  test('a program that never answers ends the start with its name and leaves nothing', async () => {
    const supervisor = installation.start({ services: [installation.broken('plane')] });
    await until(() => installation.databasePid() > 0);
    const database = installation.databasePid();
    expect(await supervisor.ended).toBe(1);
    expect(supervisor.output).toMatch(/The plane ended 3 times/);
    expect(isRunning(database)).toBe(false);
  });

  test('a step that fails ends the start before anything serves', async () => {
    const supervisor = installation.start({ before: [installation.broken('setup')], services: [await installation.service('plane')] });
    expect(await supervisor.ended).toBe(1);
    expect(supervisor.output).toContain('"setup" failed');
    expect(installation.events()).toEqual([]);
  });

  test('stopping in the middle of a start stops it', async () => {
    const never = { ...(await installation.service('plane')), healthUrl: 'http://127.0.0.1:9/' };
    const supervisor = installation.start({ services: [never] });
    await until(() => installation.pid('plane') > 0);
    const pids = [installation.pid('plane'), installation.databasePid()];
    supervisor.child.kill('SIGTERM');
    expect(await supervisor.ended).toBe(0);
    expect(pids.filter(isRunning)).toEqual([]);
  });
});
