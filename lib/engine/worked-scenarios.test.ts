import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';

import { at, decideAbout, owner, policyFrom, policyText, snapshotWith } from '@/lib/testing/engine-fixtures';

import type { CompiledPolicy } from './policy';

const own = policyText(
  `  - id: no-drops
    match: { tool: database, operation: drop }
    action: DENY
    classification: forbidden
    reason: Agents never drop databases.
  - id: no-leaks
    match: { tool: email, operation: send }
    context:
      prior_actions: { contains: [database.query, file.read] }
      data_classification: { contains: [PII, CONFIDENTIAL] }
      recipient: { external: true }
    action: DENY
    classification: context_dependent_deny
    reason: What was read stays inside.
  - id: asked-for-deletion
    match: { tool: database, operation: delete }
    context:
      user_intent: { contains: [cleanup, remove, delete] }
      target_ownership: { owned_by: requesting_user }
    action: STEP_UP
    classification: context_dependent_allow
    approvers: [data-owner]
    reason: The owner asked for it, and confirms it.`,
  header(),
);

function header(): string {
  return `directory: { internal_domains: [corp.example] }
information: { owner: { from: ["ip:records"], max_age: 5m } }
tools:
  - { name: email.send, decision: ALLOW }
  - { name: database.query, decision: ALLOW }`;
}

/** The three rules of the source document, whose indentation was lost, put under one `rules:` list. Null in a bare checkout. */
function seedPolicy(): string | null {
  const folder = path.resolve(import.meta.dirname, '../../../shared/seeds');
  if (!fs.existsSync(folder)) return null;
  const name = fs.readdirSync(folder).find((file) => file.startsWith('003'));
  if (name === undefined) return null;
  const lines = fs.readFileSync(path.join(folder, name), 'utf8').split('\n');
  const depth: Readonly<Record<string, number>> = {
    match: 4, context: 4, action: 4, classification: 4, reason: 4, approvers: 4, tool: 6, operation: 6, prior_actions: 6,
    data_classification: 6, recipient: 6, user_intent: 6, target_ownership: 6, contains: 8, external: 8, owned_by: 8,
  };
  const rules: string[] = [];
  let inside = false;
  for (const line of lines) {
    if (line.startsWith('- id:')) inside = true;
    const key = /^([a-z_]+):/.exec(line)?.[1];
    if (inside && line.startsWith('- id:')) rules.push(`  ${line}`);
    else if (inside && key !== undefined && depth[key] !== undefined) rules.push(' '.repeat(depth[key]) + line.replace(/^(reason: "[^"]*").*$/, '$1'));
    if (line.startsWith('reason:')) inside = false;
  }
  return policyText(rules.join('\n'), header());
}

function scenarios(policy: CompiledPolicy): void {
  const leak = decideAbout(policy, 'email.send', { to: 'someone@mail.example', body: 'the list' }, {
    labels: ['CONFIDENTIAL', 'PII'],
    prior: { counts: { 'database.query': 1 }, recent: [], total: 1 },
    intent: { affirmed: ['find', 'list', 'read', 'search', 'show'], doubtful: [] },
  });
  expect([leak.decision, leak.classification, leak.code]).toEqual(['DENY', 'context_dependent_deny', 'denied_by_context']);

  const inside = decideAbout(policy, 'email.send', { to: 'bob@corp.example', body: 'the list' }, {
    labels: ['CONFIDENTIAL', 'PII'], prior: { counts: { 'database.query': 1 }, recent: [], total: 1 },
  });
  expect(inside.decision).toBe('ALLOW');

  const cleanup = decideAbout(policy, 'database.delete', { table: 'test_data' }, {
    intent: { affirmed: ['cleanup', 'tidy'], doubtful: [] },
    attributes: [owner('database:test_data', 'ada@corp.example')],
  });
  expect([cleanup.decision, cleanup.classification, cleanup.approval?.approvers]).toEqual(['STEP_UP', 'context_dependent_allow', ['data-owner']]);

  const drop = decideAbout(policy, 'database.drop', { database: 'production' }, {
    requests: ['The boss wants it gone now.'], intent: { affirmed: ['delete', 'drop', 'erase', 'purge', 'remove'], doubtful: [] },
    attributes: [owner('database:production', 'ada@corp.example')],
  });
  expect([drop.decision, drop.classification, drop.code]).toEqual(['DENY', 'forbidden', 'forbidden_action']);
}

describe('the worked scenarios of the source document', () => {
  test('a leak is denied, an owned deletion steps up, a drop is forbidden', () => {
    scenarios(policyFrom(own));
  });

  const seed = seedPolicy();
  test.skipIf(seed === null)('the document’s own rules load, keys and values unchanged, and decide the same (skipped without ../shared/seeds)', () => {
    scenarios(policyFrom(seed ?? ''));
  });

  test('the deletion waits for the owner when nobody has said who it is, and names who could', () => {
    const decision = decideAbout(policyFrom(own), 'database.delete', { table: 'test_data' }, { intent: { affirmed: ['delete'], doubtful: [] } });
    expect(decision.decision).toBe('DEFER');
    expect(decision.deferral?.missing).toEqual([
      { field: 'target_ownership', subject: 'database:test_data', attribute: 'owner', suppliers: ['ip:records'] },
    ]);
    expect(decision.unknown).toEqual([{ id: 'asked-for-deletion', missing: ['target_ownership'] }]);
  });

  test('an owner said by a source that the policy does not list, or said too long ago, is not known', () => {
    const policy = policyFrom(own);
    const wanted = { intent: { affirmed: ['delete'], doubtful: [] } };
    const elsewhere = [owner('database:test_data', 'ada@corp.example', 'orchestrator:other')];
    const old = [{ ...owner('database:test_data', 'ada@corp.example'), observed_at: at(6) }];
    expect(decideAbout(policy, 'database.delete', { table: 'test_data' }, { ...wanted, attributes: elsewhere }).decision).toBe('DEFER');
    expect(decideAbout(policy, 'database.delete', { table: 'test_data' }, { ...wanted, attributes: old }).decision).toBe('DEFER');
  });

  test('somebody else’s data, or an intent that was not stated, leaves the deletion denied', () => {
    const policy = policyFrom(own);
    const theirs = { intent: { affirmed: ['delete'], doubtful: [] }, attributes: [owner('database:test_data', 'eve@corp.example')] };
    expect(decideAbout(policy, 'database.delete', { table: 'test_data' }, theirs)).toMatchObject({ decision: 'DENY', code: 'denied_by_default' });
    const unasked = { attributes: [owner('database:test_data', 'ada@corp.example')] };
    expect(decideAbout(policy, 'database.delete', { table: 'test_data' }, unasked).decision).toBe('DENY');
  });

  test('no policy, a kill switch, a session that is not open and an unverified identity deny whatever else holds', () => {
    const policy = policyFrom(own);
    const to = { to: 'bob@corp.example', body: '' };
    const session = snapshotWith().session;
    expect(decideAbout(policy, 'email.send', to, { killed: true }).code).toBe('kill_switch');
    expect(decideAbout(policy, 'email.send', to, { identity_verified: false }).code).toBe('identity_unverifiable');
    expect(decideAbout(policy, 'email.send', to, { session: { ...session, state: 'closed' } }).code).toBe('session_closed');
    expect(decideAbout(policy, 'email.send', to, { session: { ...session, state: 'expired' } }).code).toBe('session_expired');
  });
});
