import { describe, expect, test } from 'vitest';

import { at, decideAbout, policyFrom, policyText, snapshotWith } from '@/lib/testing/engine-fixtures';
import type { Snapshot } from '@/lib/context/snapshot';
import type { ActionId } from '@/lib/shared/ids';
import type { JsonObject } from '@/lib/shared/json';

const header = `directory: { internal_domains: [corp.example] }
information: { owner: { from: ["ip:records"] }, criticality: { from: ["ip:records"] } }
tools:
  - name: lab.act
    effect: write
    impact: low
    parameters:
      to: { type: array, items: string, scalar_or_array: true, optional: true, role: recipients }
      path: { type: string, optional: true, role: path }
      command: { type: string, optional: true, role: command }
      query: { type: string, optional: true, role: query }
      url: { type: string, optional: true, role: url }
      table: { type: string, optional: true, role: target }
      limit: { type: any, optional: true }
      tags: { type: array, optional: true }
      note: { type: string, optional: true }
      where: { type: any, optional: true }`;

/** The decision when a rule with this condition allows (over DENY), and when it denies (over ALLOW). */
function decided(condition: string, parameters: JsonObject, more: Partial<Snapshot> = {}): readonly string[] {
  const allows = policyFrom(policyText(`  - { id: r, match: { tool: lab, ${condition} }, action: ALLOW }`, header));
  const denies = policyFrom(policyText(`  - { id: r, match: { tool: lab, ${condition} }, action: DENY }\n  - { id: open, match: { tool: lab }, action: ALLOW }`, header));
  return [allows, denies].map((policy) => decideAbout(policy, 'lab.act', parameters, more).decision);
}

const holds = ['ALLOW', 'DENY'];
const fails = ['DENY', 'ALLOW'];
/** Some of several values: not enough to allow, enough to deny. */
const partly = ['DENY', 'DENY'];

describe('operators on the action', () => {
  test.each<[string, JsonObject, readonly string[]]>([
    ['note: x', { note: 'x' }, holds],
    ['note: x', { note: 'X' }, fails],
    ['note: x', {}, fails],
    ['note: { not: x }', { note: 'y' }, holds],
    ['note: { not: x }', {}, fails],
    ['note: { in: [x, y] }', { note: 'y' }, holds],
    ['note: [x, y]', { note: 'z' }, fails],
    ['note: { not_in: [x] }', { note: 'z' }, holds],
    ['note: { exists: false }', {}, holds],
    ['note: { exists: true }', { note: '' }, holds],
    ['note: { contains: ell }', { note: 'hello' }, holds],
    ['note: { contains_all: [he, lo] }', { note: 'hello' }, holds],
    ['note: { contains_all: [he, x] }', { note: 'hello' }, fails],
    ['note: { matches: "^h.*o$" }', { note: 'hello' }, holds],
    ['note: { starts_with: he }', { note: 'hello' }, holds],
    ['note: { not: { contains: x } }', { note: 'hello' }, holds],
    ['note: { not: { contains: x } }', {}, fails],
    ['table: { contains: prod }', { table: 'prod_customers' }, holds],
    ['table: { contains_all: [prod, x] }', { table: 'prod_customers' }, fails],
    ['limit: { lt: 5 }', { limit: 4 }, holds],
    ['limit: { lte: 5 }', { limit: 5 }, holds],
    ['limit: { gt: 5 }', { limit: 5 }, fails],
    ['limit: { gte: 5, lte: 6 }', { limit: 6 }, holds],
    ['limit: { gt: 2 }', { limit: '10' }, holds],
    ['limit: { gt: 5 }', { limit: 'ten' }, partly],
    ['limit: null', {}, fails],
    ['tags: { contains: a }', { tags: ['a'] }, holds],
    ['tags: { contains: a }', { tags: ['a', 'b'] }, partly],
    ['tags: { contains_all: [a, b] }', { tags: ['b', 'a'] }, holds],
    ['to: { domain_in: [corp.example] }', { to: 'bob@corp.example' }, holds],
    ['to: { domain_in: [corp.example] }', { to: 'bob@badcorp.example' }, fails],
    ['to: { domain_in: [corp.example] }', { to: ['bob@mail.corp.example', 'eve@mail.example'] }, partly],
    ['to: { in: [bob@corp.example] }', { to: 'Bob@Corp.Example' }, holds],
    ['to: { external: true }', { to: ['bob@corp.example', 'eve@mail.example'] }, holds],
    ['to: { external: false }', { to: ['bob@corp.example', 'eve@mail.example'] }, partly],
    ['path: { within: /data/project }', { path: '/data/project/a/../b' }, holds],
    ['path: { within: /data/project }', { path: '/data/project-old/keys' }, fails],
    ['path: { within: /data/project }', { path: '/data/project/../secret' }, fails],
    ['path: { starts_with: /data/project/ }', { path: '/data/project/.vault/token' }, holds],
    ['command: { in: [rm] }', { command: 'sudo rm -rf /tmp/x' }, partly],
    ['command: { in: [rm, sudo] }', { command: 'rm a && rm b' }, holds],
    ['command: { in: [rm] }', { command: '/tmp/rm a' }, partly],
    ['command: { starts_with: git log }', { command: 'git log --oneline' }, holds],
    ['command: { starts_with: cat a }', { command: 'cat ab' }, fails],
    ['command: { in: [ls] }', { command: 'ls && rm x' }, partly],
    ['query: { contains: customers }', { query: "SELECT id FROM orders WHERE note LIKE '%customers%'" }, fails],
    ['query: { in: [customers] }', { query: 'SELECT * FROM orders JOIN customers USING (id)' }, partly],
    ['url: { domain_in: [docs.example] }', { url: 'https://docs.example/x' }, holds],
    ['url: { domain_in: [docs.example] }', { url: 'https://docs.example.evil.example/x' }, fails],
    ['url: { domain_in: [docs.example] }', { url: 'https://docs.example@evil.example/x' }, fails],
    ['url: { starts_with: "https://docs.example/a" }', { url: 'https://docs.example/ab' }, fails],
    ['where.owner: ada', { where: { owner: 'ada' } }, holds],
    ['where.owner: ada', { where: [{ owner: 'ada' }, { owner: 'eve' }] }, partly],
    ['where.constructor: { exists: true }', { where: {} }, fails],
  ])('%s about %j', (condition, parameters, wanted) => {
    expect(decided(`parameters: { ${condition} }`, parameters)).toEqual(wanted);
  });

  test.each([
    ['role: assistant', holds],
    ['role: { in: [robot] }', fails],
    ['human: { domain_in: [corp.example] }', holds],
    ['scope: { contains: mail }', holds],
    ['scope: { contains_all: [mail, gold] }', fails],
    ['agent: { starts_with: agent- }', holds],
  ])('identity %s', (condition, wanted) => {
    expect(decided(`identity: { ${condition} }`, {})).toEqual(wanted);
  });
});

/** Whether a context condition holds: a rule with it denies over ALLOW. */
function denied(condition: string, more: Partial<Snapshot>, parameters: JsonObject = { table: 't' }): string {
  return decideAbout(policyFrom(policyText(`  - { id: r, match: { tool: lab }, context: { ${condition} }, action: DENY }\n  - { id: open, match: { tool: lab }, action: ALLOW }`, header)), 'lab.act', parameters, more).decision;
}

const done = (operation: string, minutes: number, labels: readonly string[] = []): Snapshot['prior']['recent'][number] => ({
  action: 'act_0000000000000000000000' as ActionId, tool: 'database', operation, effect: 'read', at: at(minutes), labels,
});
const priorOf = (recent: Snapshot['prior']['recent'], total = recent.length): Snapshot['prior'] => ({ recent, total, counts: { 'database.query': total } });

describe('predicates on the context', () => {
  test.each<[string, Partial<Snapshot>, string]>([
    ['prior_actions: { contains: [db.query, file.read] }', { prior: priorOf([done('query', 5)]) }, 'DENY'],
    ['prior_actions: { contains_all: [database.query, files.read] }', { prior: priorOf([done('query', 5)]) }, 'ALLOW'],
    ['prior_actions: { contains: ["files.*"] }', { prior: { counts: { 'files.read': 1 }, recent: [], total: 1 } }, 'DENY'],
    ['data_classification: { contains: CONFIDENTIAL }', { labels: ['RESTRICTED'] }, 'DENY'],
    ['data_classification: { contains: CONFIDENTIAL }', { labels: ['INTERNAL'] }, 'ALLOW'],
    ['data_classification: { contains: [PII] }', { labels: ['PHI', 'RESTRICTED'] }, 'ALLOW'],
    ['data_classification: { contains_all: [PII, INTERNAL] }', { labels: ['CONFIDENTIAL', 'PII'] }, 'DENY'],
    ['data_classification: { higher_than: INTERNAL }', { labels: ['INTERNAL'] }, 'ALLOW'],
    ['data_classification: { gte: INTERNAL }', { labels: ['INTERNAL'] }, 'DENY'],
    ['user_intent: { contains: [delete] }', { intent: { affirmed: ['delete'], doubtful: [] } }, 'DENY'],
    ['user_intent: { contains: [delete] }', { intent: { affirmed: [], doubtful: ['delete'] } }, 'DEFER'],
    ['user_intent: { not: { contains: [delete] } }', { intent: { affirmed: [], doubtful: [] } }, 'DENY'],
    ['user_intent: { contains: [delete] }', { intent: null }, 'DEFER'],
    ['provenance: { table: { in: [untrusted_output, nowhere] } }', { provenance: [{ path: 'table', source: 'untrusted_output' }] }, 'DENY'],
    ['provenance: { table: { in: [untrusted_output, nowhere] } }', { provenance: [{ path: 'table', source: 'request' }] }, 'ALLOW'],
    ['provenance: { table: nowhere }', { provenance: [] }, 'DENY'],
    ['provenance: { note: nowhere }', { provenance: [] }, 'ALLOW'],
    ['provenance: { "*": [nowhere] }', { provenance: [{ path: 'table', source: 'request' }] }, 'ALLOW'],
    ['elapsed: { gt: 20m }', {}, 'DENY'],
    ['elapsed: { gt: 1h }', {}, 'ALLOW'],
    ['count: { tool: database, operation: query, gt: 1 }', { prior: priorOf([done('query', 50), done('query', 5)]) }, 'DENY'],
    ['count: { tool: database, gt: 1, within: 10m }', { prior: priorOf([done('query', 50), done('query', 5)]) }, 'ALLOW'],
    ['count: { tool: database, gte: 1, within: 10m }', { prior: priorOf([done('query', 5)], 900) }, 'DENY'],
    ['count: { tool: database, gt: 1, within: 10m }', { prior: priorOf([done('query', 5)], 900) }, 'DEFER'],
    ['count: { tool: database, gt: 1, within: 10m }', { prior: priorOf([done('query', 50), done('query', 5)], 900) }, 'ALLOW'],
    ['volume: { gte: 2 }', { prior: priorOf([done('query', 50), done('query', 5)]) }, 'DENY'],
    ['velocity: { gt: 0, within: 10m }', { prior: priorOf([done('query', 50)]) }, 'ALLOW'],
    ['sequence: { steps: [{ tool: database, label: PII }, { effect: write }], within: 1h }', { prior: priorOf([done('query', 5, ['PII'])]) }, 'DENY'],
    ['sequence: { steps: [{ tool: database, label: PII }, { effect: write }], within: 1m }', { prior: priorOf([done('query', 5, ['PII'])]) }, 'ALLOW'],
    ['sequence: { steps: [{ tool: database }, { effect: spend }] }', { prior: priorOf([done('query', 5)]) }, 'ALLOW'],
    ['sequence: { steps: [{ tool: database }, { tool: files }, { effect: write }] }', { prior: priorOf([done('query', 5)]) }, 'ALLOW'],
    ['sequence: { steps: [{ tool: database, label: PII }, { effect: write }] }', { labels: ['PII'], prior: priorOf([done('query', 5)], 900) }, 'DEFER'],
    ['sequence: { steps: [{ tool: database, label: PII }, { effect: write }] }', { prior: priorOf([done('query', 5)], 900) }, 'ALLOW'],
  ])('%s', (condition, more, wanted) => {
    expect(denied(condition, more)).toBe(wanted);
  });

  test('an attribute that a listed source settled as unavailable counts against the action, and never for it', () => {
    const gone = snapshotWith({ attributes: [{ subject: 'lab:t', name: 'criticality', value: null, unavailable: true, source: 'ip:records', observed_at: at(1) }] });
    expect(denied('attributes: { criticality: high }', gone)).toBe('DENY');
    const allows = policyFrom(policyText('  - { id: r, match: { tool: lab }, context: { attributes: { criticality: low } }, action: ALLOW }', header));
    expect(decideAbout(allows, 'lab.act', { table: 't' }, gone).decision).toBe('DENY');
  });

  test('what a query does counts as its effect, whatever the catalogue calls the operation', () => {
    const about = (rules: string, query: string): string => decideAbout(policyFrom(policyText(rules)), 'database.query', { query }).decision;
    const denies = '  - { id: r, match: { effect: destructive }, action: DENY }\n  - { id: open, match: { tool: database }, action: ALLOW }';
    expect([about(denies, 'DELETE FROM t'), about(denies, 'SELECT 1 FROM t')]).toEqual(['DENY', 'ALLOW']);
    const allows = '  - { id: r, match: { effect: read }, action: ALLOW }';
    expect([about(allows, 'SELECT 1 FROM t'), about(allows, 'DELETE FROM t')]).toEqual(['ALLOW', 'DENY']);
  });

  test('sources that disagree are several values: enough to deny, not enough to allow', () => {
    const said = (value: string, source: string): Snapshot['attributes'][number] => ({ subject: 'lab:t', name: 'criticality', value, unavailable: false, source, observed_at: at(1) });
    const both = header.replace('criticality: { from: ["ip:records"] }', 'criticality: { from: ["ip:records", "ip:other"] }');
    const attributes = [said('low', 'ip:records'), said('high', 'ip:other')];
    const rule = (value: string, action: string): string => policyText(`  - { id: r, match: { tool: lab }, context: { attributes: { criticality: ${value} } }, action: ${action} }`, both);
    expect(decideAbout(policyFrom(rule('low', 'ALLOW')), 'lab.act', { table: 't' }, { attributes }).decision).toBe('DENY');
    expect(decideAbout(policyFrom(`${rule('high', 'DENY')}  - { id: open, match: { tool: lab }, action: ALLOW }\n`), 'lab.act', { table: 't' }, { attributes }).code).toBe('denied_by_context');
  });
});
