import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { parseEnvironment } from '@/lib/server/env';

describe('settings', () => {
  test('an empty environment gives loopback listeners and the embedded database', () => {
    expect(parseEnvironment({})).toEqual({
      host: '127.0.0.1',
      consolePort: 3000,
      planePort: 3181,
      stateDirectory: path.resolve('.countersign'),
      databaseUrl: undefined,
      rootPin: undefined,
      consoleUrl: 'http://localhost:3000',
      sessionSecret: undefined,
      informationPoints: undefined,
      guardDirectories: [],
      notices: { webhook: undefined, slack: undefined, ends: false },
      logLevel: 'info',
    });
  });

  test('a setting that is set to nothing is unset', () => {
    expect(parseEnvironment({ PORT: '', DATABASE_URL: '' }).consolePort).toBe(3000);
  });

  test('the console’s address follows its port unless it is named', () => {
    expect(parseEnvironment({ PORT: '4000' }).consoleUrl).toBe('http://localhost:4000');
    expect(parseEnvironment({ PORT: '4000', NEXTAUTH_URL: 'https://sign.example.com/' }).consoleUrl).toBe('https://sign.example.com');
  });

  test.each([
    ['a port that is no number', { PORT: 'abc' }, 'PORT'],
    ['a port out of range', { PLANE_PORT: '70000' }, 'PLANE_PORT'],
    ['a database that is not PostgreSQL', { DATABASE_URL: 'mysql://localhost/x' }, 'DATABASE_URL'],
    ['a session secret that can be guessed', { NEXTAUTH_SECRET: 'short' }, 'NEXTAUTH_SECRET'],
    ['an unknown log level', { LOG_LEVEL: 'loud' }, 'LOG_LEVEL'],
  ])('%s is refused by name', (_what, source, name) => {
    expect(() => parseEnvironment(source)).toThrow(name);
  });

  test('guard directories are attached by the settings alone, each by name and whole path', () => {
    expect(parseEnvironment({ COUNTERSIGN_GUARD_DIRS: 'reports=/srv/reports, deploy=/srv/deploy' }).guardDirectories).toEqual([{ name: 'reports', path: '/srv/reports' }, { name: 'deploy', path: '/srv/deploy' }]);
  });

  test.each([
    ['a path alone', '/srv/reports'],
    ['a path that is not whole', 'reports=state'],
    ['a path that goes up', 'reports=/srv/../etc'],
    ['a name that is none', 'a/b=/srv/reports'],
    ['one name twice', 'a=/srv/a,a=/srv/b'],
    ['one path twice', 'a=/srv/a,b=/srv/a'],
  ])('guard directories with %s keep the process from starting', (_what, text) => {
    expect(() => parseEnvironment({ COUNTERSIGN_GUARD_DIRS: text })).toThrow('COUNTERSIGN_GUARD_DIRS');
  });

  const endpoint = { EMBEDDINGS_URL: 'https://models.example/v1/embeddings', EMBEDDINGS_MODEL: 'small' };
  test('an embeddings endpoint is asked with what its settings say', () => {
    expect(parseEnvironment({}).embeddings).toBeUndefined();
    expect(parseEnvironment({ ...endpoint, EMBEDDINGS_KEY: 'k', EMBEDDINGS_FAR: '0.2', EMBEDDINGS_NEAR: '0.8', EMBEDDINGS_DEADLINE_MS: '300' }).embeddings).toEqual({
      url: new URL(endpoint.EMBEDDINGS_URL), model: 'small', key: 'k', keyFile: undefined, allowInner: false, deadlineMs: 300, scale: { far: 200, near: 800 },
    });
    expect(parseEnvironment(endpoint).embeddings).toMatchObject({ deadlineMs: 1000, scale: { far: 0, near: 500 } });
  });

  test.each([
    ['a model without an address', { EMBEDDINGS_MODEL: 'small' }, /EMBEDDINGS_MODEL: means nothing without EMBEDDINGS_URL/],
    ['an address without a model', { EMBEDDINGS_URL: endpoint.EMBEDDINGS_URL }, /EMBEDDINGS_MODEL: must be set/],
    ['an address of another kind', { ...endpoint, EMBEDDINGS_URL: 'file:///etc/passwd' }, /EMBEDDINGS_URL/],
    ['an address with a password', { ...endpoint, EMBEDDINGS_URL: 'https://u:hunter2@models.example/' }, /EMBEDDINGS_URL: must not hold a password/],
    ['plain HTTP that nobody allowed', { ...endpoint, EMBEDDINGS_URL: 'http://models.example/' }, /EMBEDDINGS_URL: must be https/],
    ['two keys', { ...endpoint, EMBEDDINGS_KEY: 'k', EMBEDDINGS_KEY_FILE: '/run/key' }, /keep one/],
    ['a key of two lines', { ...endpoint, EMBEDDINGS_KEY: 'a\nb' }, /EMBEDDINGS_KEY: must be one key/],
    ['a deadline that is no number', { ...endpoint, EMBEDDINGS_DEADLINE_MS: 'soon' }, /EMBEDDINGS_DEADLINE_MS/],
    ['a deadline that holds every action', { ...endpoint, EMBEDDINGS_DEADLINE_MS: '60000' }, /EMBEDDINGS_DEADLINE_MS/],
    ['a scale that is upside down', { ...endpoint, EMBEDDINGS_FAR: '0.6' }, /EMBEDDINGS_FAR: must be below/],
    ['a cosine over one', { ...endpoint, EMBEDDINGS_NEAR: '1.5' }, /EMBEDDINGS_NEAR/],
  ])('%s is refused before anything starts', (_what, source, fault) => {
    expect(() => parseEnvironment(source)).toThrow(fault);
  });

  test('every fault is told at once', () => {
    expect(() => parseEnvironment({ PORT: 'x', LOG_LEVEL: 'y' })).toThrow(/PORT[\s\S]*LOG_LEVEL/);
  });

  test('a refused secret is not repeated in the message', () => {
    expect(messageOf(() => parseEnvironment({ NEXTAUTH_SECRET: 'hunter2' }))).not.toContain('hunter2');
  });
});

function messageOf(work: () => unknown): string {
  try {
    work();
  } catch (error) {
    return String(error);
  }
  throw new Error('nothing was thrown');
}
