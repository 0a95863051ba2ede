import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { policyText } from '@/lib/testing/engine-fixtures';
import { runCli } from '@/lib/testing/run-cli';

import type { Counterfactual } from '@/lib/policy/simulate/what-would-change';

let folder: string;
let policy: string;

const rules = `
  - { id: mail, match: { tool: email, operation: send }, action: ALLOW, reason: Mail is allowed. }
  - id: nothing-out-after-personal-data
    match: { tool: email, operation: send }
    context: { data_classification: { contains: [PII] }, recipient: { external: true } }
    action: DENY
    reason: Personal data was read.
  - { id: own-records, match: { tool: database, operation: delete }, context: { target_ownership: { owned_by: requesting_user } }, action: STEP_UP, classification: context_dependent_allow, approvers: [data-owner] }
  - { id: large, match: { tool: database, operation: delete, parameters: { limit: { gt: 100 } } }, action: DENY, classification: forbidden }
  - { id: capped, match: { tool: database, operation: update }, action: MODIFY, modify: [{ cap: parameters.limit, at: 10 }] }`;

beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'countersign-offline-'));
  policy = await write('office.yaml', policyText(rules, 'directory: { internal_domains: [harbor.example] }\ninformation: { owner: { from: [ip:records] } }'));
});
afterAll(async () => {
  await rm(folder, { recursive: true });
});

async function write(name: string, text: string): Promise<string> {
  const file = path.join(folder, name);
  await writeFile(file, text);
  return file;
}

const mail = (to: string): string => JSON.stringify({ tool: 'email', operation: 'send', parameters: { to, body: 'hello' } });
const erase = '{"tool":"database","operation":"delete","parameters":{"table":"notes"}}';
const simulate = (...args: string[]) => runCli({}, 'policy', 'simulate', ...args);
const explain = (...args: string[]) => runCli({}, 'policy', 'explain', ...args);

describe('policy simulate', () => {
  test('an action is decided in the context that is given, in a file or written out', async () => {
    expect(await simulate(policy, '--action', mail('x@mail.example'))).toEqual({ code: 0, out: 'ALLOW    email.send (allowed): Mail is allowed.\n', err: '' });
    const seen = await write('seen.yaml', 'labels: [CONFIDENTIAL, PII]\n');
    for (const context of [seen, '{"labels":["CONFIDENTIAL","PII"]}']) {
      expect((await simulate(policy, '--action', mail('x@mail.example'), '--context', context)).out).toBe('DENY     email.send (denied_by_context): Personal data was read.\n');
    }
  });

  test('many actions are decided one by one, each with what is given beside it, and answered a line each', async () => {
    const file = await write('many.jsonl', `${mail('bob@harbor.example')}\n\n${JSON.stringify({ ...JSON.parse(mail('x@mail.example')), given: { labels: ['PII'] } })}\n`);
    const said = await simulate(policy, '--action', file, '--json');
    expect(said).toMatchObject({ code: 0, err: '' });
    const lines: { decision: { decision: string } }[] = JSON.parse(`[${said.out.trimEnd().replaceAll('\n', ',')}]`);
    expect(lines.map(({ decision }) => decision.decision)).toEqual(['ALLOW', 'DENY']);
    expect(lines[0]).toMatchObject({ action: { tool: 'email', operation: 'send' }, decision: { code: 'allowed', baseline: { decision: 'ALLOW', from: 'mail' } } });
  });

  test('what would run, who is asked and what is missing are said', async () => {
    const update = '{"tool":"database","operation":"update","parameters":{"table":"notes","set":{"a":1},"where":{"b":2},"limit":50}}';
    expect((await simulate(policy, '--action', update)).out).toContain('limit: 50 → 10, by capped');
    expect((await simulate(policy, '--action', erase)).out).toContain('misses target_ownership of database:notes, from ip:records');
    const owned = '{"attributes":[{"subject":"database:notes","name":"owner","value":"ada@harbor.example","source":"ip:records"}],"request":"Delete the notes"}';
    expect((await simulate(policy, '--action', erase, '--context', owned)).out).toContain('asks 1 of data-owner');
  });

  test('an action that is none of the catalogue is exit 1, with the nearest name, and the others are decided', async () => {
    const file = await write('unknown.jsonl', `{"tool":"email","operation":"sned","parameters":{}}\n${mail('bob@harbor.example')}\n`);
    const said = await simulate(policy, '--action', file);
    expect(said).toMatchObject({ code: 1, err: '' });
    expect(said.out).toContain('refused  email.sned (unknown_tool)');
    expect(said.out).toContain('email.send');
    expect(said.out).toContain('ALLOW');
    expect(JSON.parse((await simulate(policy, '--action', file, '--json')).out.split('\n')[0] ?? '')).toMatchObject({ refused: { code: 'unknown_tool' } });
  });

  test.each([
    ['without a policy', () => ['--action', erase], 'Give one policy'],
    ['without an action', () => [policy], '--action FILE'],
  ])('%s it is a usage error', async (_what, args, words) => {
    const said = await simulate(...args());
    expect(said).toMatchObject({ code: 2, out: '' });
    expect(said.err).toContain(words);
    expect(said.err).toContain('usage: countersign policy simulate');
  });

  test.each([
    ['an action that is no JSON', () => [policy, '--action', '{"tool":'], 'error: invalid_json: '],
    ['an action that names a key twice', () => [policy, '--action', '{"tool":"a","tool":"b"}'], 'error: duplicate_key: '],
    ['an action with a misspelt key', () => [policy, '--action', '{"tool":"email","operation":"send","paramters":{}}'], 'Did you mean parameters?'],
    ['a context with an unknown key', () => [policy, '--action', erase, '--context', '{"lables":[]}'], 'Did you mean labels?'],
    ['a file that is not there', () => [policy, '--action', path.join(folder, 'missing.json')], 'ENOENT'],
    ['a policy that is not there', () => [path.join(folder, 'missing.yaml'), '--action', erase], 'ENOENT'],
  ])('%s is exit 2 and says what to do', async (_what, args, words) => {
    const said = await simulate(...args());
    expect(said).toMatchObject({ code: 2, out: '' });
    expect(said.err).toContain(words);
  });

  test('a line that is wrong is named by its number', async () => {
    const said = await simulate(policy, '--action', await write('second.jsonl', `${erase}\n{]\n`));
    expect(said.err).toContain('Line 2');
  });

  test('a policy that does not load is exit 1 with its places', async () => {
    const said = await simulate(await write('broken.yaml', policyText(rules.replace('action: ALLOW', 'action: ALOW'))), '--action', erase);
    expect(said).toMatchObject({ code: 1, out: '' });
    expect(said.err).toMatch(/broken\.yaml:\d+:\d+: /);
  });

  test('text of a policy cannot move the cursor of a terminal', async () => {
    const file = await write('escape.yaml', policyText('  - { id: mail, match: { tool: email, operation: send }, action: ALLOW, reason: "\\e[2J" }'));
    expect((await simulate(file, '--action', mail('bob@harbor.example'))).out).toContain('<U+001B>[2J');
  });
});

describe('policy explain', () => {
  test('each rule is shown true, false or unknown with what it read, and what would change the decision', async () => {
    const said = await explain(policy, '--action', mail('x@mail.example'), '--context', '{"labels":["PII"]}');
    expect(said).toMatchObject({ code: 0, err: '' });
    expect(said.out).toContain('Decision    DENY (denied_by_context), context_dependent_deny');
    expect(said.out).toContain('Baseline    ALLOW, from mail');
    expect(said.out).toMatch(/true +nothing-out-after-personal-data: DENY, context_dependent_deny, priority 300 {2}← decides/);
    expect(said.out).toContain('true: data_classification contains ["PII"]; read ["PII"]');
    expect(said.out).toContain('without nothing-out-after-personal-data: ALLOW (allowed)');
  });

  test('an unknown rule says what is missing and from whom, and what it would come to either way', async () => {
    const { out } = await explain(policy, '--action', erase);
    expect(out).toMatch(/unknown +own-records: STEP_UP/);
    expect(out).toContain('missing: target_ownership of database:notes, from ip:records');
    expect(out).toContain('if own-records did not hold: DENY (denied_by_default)');
    expect(out).toMatch(/does not apply +large/);
    expect(out).toContain('if large held: DENY (forbidden_action)');
  });

  test('as JSON it has the decision, the rules and the changes, and nothing else stands on stdout', async () => {
    const said = await explain(policy, '--action', erase, '--json');
    expect(said).toMatchObject({ code: 0, err: '' });
    expect(JSON.parse(said.out)).toMatchObject({
      action: { tool: 'database', operation: 'delete' },
      decision: { decision: 'DEFER' },
      rules: expect.arrayContaining([expect.objectContaining({ id: 'own-records', truth: 'unknown', missing: ['target_ownership of database:notes, from ip:records'] })]),
      changes: expect.arrayContaining([{ if: 'if large held', decision: 'DENY', code: 'forbidden_action' }]),
    });
  });

  test('what it says of a change is what comes when the change is made', async () => {
    const { changes }: { changes: Counterfactual[] } = JSON.parse((await explain(policy, '--action', mail('x@mail.example'), '--context', '{"labels":["PII"]}', '--json')).out);
    const without = changes.find((one) => one.if === 'without nothing-out-after-personal-data');
    const loosened = await write('loosened.yaml', policyText('  - { id: mail, match: { tool: email, operation: send }, action: ALLOW }', 'directory: { internal_domains: [harbor.example] }'));
    const { out } = await simulate(loosened, '--action', mail('x@mail.example'), '--context', '{"labels":["PII"]}');
    expect(without && out.startsWith(without.decision)).toBe(true);
  });

  test('what several rules decide together is tried without all of them', async () => {
    const twice = await write('twice.yaml', policyText('  - { id: a, match: { tool: email }, context: { data_classification: { contains: [PII] } }, action: DENY }\n  - { id: b, match: { tool: email }, context: { data_classification: { contains: [PII] } }, action: DENY }\n  - { id: mail, match: { tool: email, operation: send }, action: ALLOW }'));
    expect((await explain(twice, '--action', mail('bob@harbor.example'), '--context', '{"labels":["PII"]}')).out).toContain('without a, b: ALLOW (allowed)');
  });

  test('several actions, or one that is none of the catalogue, are not explained', async () => {
    expect(await explain(policy, '--action', await write('two.jsonl', `${erase}\n${erase}\n`))).toMatchObject({ code: 2, out: '' });
    const said = await explain(policy, '--action', '{"tool":"database","operation":"delete","parameters":{"table":7}}');
    expect(said).toMatchObject({ code: 1, out: '' });
    expect(said.err).toContain('error: invalid_parameters: ');
  });
});

describe('findings for a CI system', () => {
  const tested = async (expected: string): Promise<string> => {
    const file = await write('checked.yaml', policyText(rules, 'directory: { internal_domains: [harbor.example] }\ninformation: { owner: { from: [ip:records] } }'));
    await write('checked.test.yaml', `tests:\n  - { name: fine, action: ${mail('bob@harbor.example')}, expect: { decision: ALLOW } }\n  - { name: "odd, so: 50%", action: ${mail('bob@harbor.example')}, expect: { decision: ${expected} } }\n`);
    return file;
  };

  test('a failed case is annotated at its line, and nothing in its name begins another command', async () => {
    const said = await runCli({}, 'policy', 'test', await tested('DENY'), '--annotations');
    expect(said).toMatchObject({ code: 1, err: '' });
    expect(said.out).toBe(`::error file=${path.join(folder, 'checked.test.yaml')},line=3,col=5,title=odd%2C so%3A 50%25::decision: wanted "DENY", got "ALLOW"\n`);
  });

  test('where all is as expected nothing is annotated', async () => {
    expect(await runCli({}, 'policy', 'test', await tested('ALLOW'), '--annotations')).toEqual({ code: 0, out: '', err: '' });
  });

  test('cases as JSON have their place and what was wrong', async () => {
    const said = await runCli({}, 'policy', 'test', await tested('DENY'), '--json');
    expect(said).toMatchObject({ code: 1, err: '' });
    expect(JSON.parse(said.out)).toEqual([
      { file: path.join(folder, 'checked.test.yaml'), line: 2, column: 5, name: 'fine', passed: true, wrong: [] },
      { file: path.join(folder, 'checked.test.yaml'), line: 3, column: 5, name: 'odd, so: 50%', passed: false, wrong: ['decision: wanted "DENY", got "ALLOW"'] },
    ]);
  });

  test('a policy that does not load fails its tests, at the place that keeps it from loading', async () => {
    await write('faulty.test.yaml', `tests:\n  - { name: fine, action: ${erase}, expect: { decision: ALLOW } }\n`);
    const said = await runCli({}, 'policy', 'test', '--annotations', await write('faulty.yaml', policyText(rules.replace('action: ALLOW', 'action: ALOW'))));
    expect(said.code).toBe(1);
    expect(said.out).toMatch(/^::error file=.*faulty\.yaml,line=\d+,col=\d+,title=policy_invalid::/);
  });

  test('findings are warnings, what keeps a file from loading is an error', async () => {
    const shadowed = await write('shadowed.yaml', policyText('  - { id: never, match: { tool: notes, operation: burn }, action: DENY }'));
    expect((await runCli({}, 'policy', 'lint', shadowed, '--annotations')).out).toMatch(/^::warning file=.*shadowed\.yaml,line=\d+,col=\d+,title=never_matches::/m);
    const faulty = await write('faulty2.yaml', policyText(rules.replace('action: ALLOW', 'action: ALOW')));
    expect((await runCli({}, 'policy', 'lint', faulty, '--annotations')).out).toMatch(/^::error file=.*faulty2\.yaml/m);
  });

  test.each(['lint', 'test'])('policy %s writes one form, not two', async (name) => {
    expect(await runCli({}, 'policy', name, policy, '--json', '--annotations')).toMatchObject({ code: 2, out: '' });
  });
});
