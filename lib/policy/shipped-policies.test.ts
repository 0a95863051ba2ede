import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';

import { nodeSha256 } from '@/lib/testing/node-crypto';
import { stock } from '@/lib/testing/engine-fixtures';

import { compilePolicy } from './compile-policy';
import { lintPolicy } from './lint-policy';
import { parsePolicy, type ParsedPolicy } from './parse-policy';
import { parsePolicyTests, runPolicyTests } from './policy-tests';
import { formatOf } from './read-text';

const folder = path.resolve(import.meta.dirname, '../../policies');
const tested = fs.readdirSync(folder).filter((name) => name.endsWith('.test.yaml'));
const read = (name: string): string => fs.readFileSync(path.join(folder, name), 'utf8');

function load(name: string): ParsedPolicy {
  const parsed = parsePolicy(read(name), { format: formatOf(name), catalogue: stock, sha256: nodeSha256 });
  if (!parsed.ok) throw new Error(`${name}: ${JSON.stringify(parsed.error.issues, null, 1)}`);
  return parsed.value;
}

const policyBeside = (name: string): string =>
  ['.yaml', '.md'].map((ending) => name.replace('.test.yaml', ending)).find((candidate) => fs.existsSync(path.join(folder, candidate))) ?? name;

describe('the policies that ship', () => {
  test('there is a starter and a demo policy', () => {
    expect(tested).toEqual(expect.arrayContaining(['starter.test.yaml', 'demo.test.yaml']));
  });

  describe.each(tested)('%s', (name) => {
    const parsed = load(policyBeside(name));
    const cases = parsePolicyTests(read(name));

    test('reads as a list of cases', () => {
      expect(cases.ok ? [] : cases.error.issues).toEqual([]);
    });

    test.each(runPolicyTests(cases.ok ? cases.value : [], compilePolicy(parsed)).map((result) => [result.name, result.wrong] as const))('%s', (_, wrong) => {
      expect(wrong).toEqual([]);
    });

    test('has no lint finding', () => {
      expect(lintPolicy(parsed, { groups: ['approver', 'data-owner', 'finance'] }).map(({ code, rule, message, line }) => `${String(line)} ${rule ?? ''} ${code}: ${message}`)).toEqual([]);
    });
  });
});
