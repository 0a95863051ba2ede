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
