import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';

const root = path.resolve(import.meta.dirname, '../..');
const longestFile = 300;

const topLevel = new Set([
  'package.json',
  'package-lock.json',
  'tsconfig.json',
  'README.md',
  'LICENSE',
  'Dockerfile',
  'proxy.ts',
  'instrumentation.ts',
  'app',
  'components',
  'lib',
  'prisma',
  'policies',
  'e2e',
  'public',
]);
const madeByTools = new Set(['node_modules', 'test-results', 'playwright-report', 'coverage', 'next-env.d.ts']);
const modules = new Set([
  'shared',
  'engine',
  'mediate',
  'context',
  'policy',
  'approvals',
  'ledger',
  'verify',
  'authority',
  'guards',
  'contracts',
  'ports',
  'services',
  'db',
  'auth',
  'server',
  'plane',
  'pep',
  'cli',
  'client',
  'bench',
  'demo',
  'testing',
]);

/** Every source file of ours, relative to the root. */
function sources(): string[] {
  const found: string[] = [];
  const walk = (folder: string): void => {
    for (const entry of fs.readdirSync(path.join(root, folder), { withFileTypes: true })) {
      const name = `${folder}/${entry.name}`;
      if (entry.name === 'generated') continue;
      if (entry.isDirectory()) walk(name);
      else if (/\.(ts|tsx|mjs|css)$/.test(entry.name)) found.push(name);
    }
  };
  for (const folder of ['app', 'components', 'lib', 'e2e']) if (fs.existsSync(path.join(root, folder))) walk(folder);
  return found;
}

const read = (file: string): string => fs.readFileSync(path.join(root, file), 'utf8');

describe('layout', () => {
  test('the top level holds only what the architecture names and tools insist on', () => {
    const strangers = fs
      .readdirSync(root)
      .filter((name) => !name.startsWith('.') && !madeByTools.has(name) && !topLevel.has(name) && !/\.config\.(ts|mjs)$/.test(name));
    expect(strangers).toEqual([]);
  });

  test('lib holds only the modules of the architecture', () => {
    const strangers = fs.readdirSync(path.join(root, 'lib')).filter((name) => !modules.has(name));
    expect(strangers).toEqual([]);
  });

  test(`no file is longer than ${String(longestFile)} lines`, () => {
    const long = sources().filter((file) => read(file).split('\n').length > longestFile + 1);
    expect(long).toEqual([]);
  });

  test('names are kebab-case and none is a barrel', () => {
    const odd = sources().filter((file) => {
      const name = path.basename(file);
      return name.startsWith('index.') || !/^[a-z0-9]+(-[a-z0-9]+)*(\.(test|itest|spec|config|d))?\.(ts|tsx|mjs|css)$/.test(name);
    });
    expect(odd).toEqual([]);
  });

  test('a page or layout of app is at most 60 lines', () => {
    const long = sources().filter((file) => /^app\/.*\/?(page|layout)\.tsx$/.test(file) && read(file).split('\n').length > 61);
    expect(long).toEqual([]);
  });

  test('a README inside lib is at most 80 lines, but for the one that is a published format', () => {
    // Whoever writes a second verifier has that page and nothing else, so it is as long as the format.
    const readmes = fs.readdirSync(path.join(root, 'lib')).filter((name) => name !== 'ledger').map((name) => `lib/${name}/README.md`);
    const long = readmes.filter((file) => fs.existsSync(path.join(root, file)) && read(file).split('\n').length > 81);
    expect(long).toEqual([]);
  });

  test('each test that the README names exists', () => {
    const files = sources();
    const named = [...read('README.md').matchAll(/`((?:lib|e2e|app|components|policies)\/[^`\s]+\.tsx?)`/g)].flatMap(([, name = '']) => spelledOut(name));
    expect(named.length).toBeGreaterThan(50);
    expect(named.filter((name) => !files.some((file) => patternOf(name).test(file)))).toEqual([]);
  });
});

/** `a/{b,c}.ts` names two. */
function spelledOut(name: string): readonly string[] {
  const [braces, names = ''] = /\{([^}]*)\}/.exec(name) ?? [];
  return braces === undefined ? [name] : names.split(',').flatMap((one) => spelledOut(name.replace(braces, one)));
}

const patternOf = (name: string): RegExp => new RegExp(`^${name.replaceAll('.', '\\.').replaceAll('**/', '(.+/)?').replaceAll(/(?<!\.)\*/g, '[^/]*')}$`);
