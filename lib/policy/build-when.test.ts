import { describe, expect, test } from 'vitest';

import { decideAbout, issuesOf, owner, policyFrom, policyText } from '@/lib/testing/engine-fixtures';

const text = (when: string, action = 'ALLOW'): string =>
  policyText(`  - id: r\n    match: { tool: database, operation: delete }\n    when: ${JSON.stringify(when)}\n    action: ${action}`, 'information: { owner: { from: ["ip:records"] } }');

const decided = (when: string, parameters: Parameters<typeof decideAbout>[2]): string => decideAbout(policyFrom(text(when)), 'database.delete', parameters).decision;

describe('when', () => {
  test.each([
    ['parameters.limit <= 1000', { table: 't', limit: 1000 }, 'ALLOW'],
    ['parameters.limit <= 1000', { table: 't', limit: 1001 }, 'DENY'],
    ['parameters.limit <= 1000', { table: 't' }, 'DENY'],
    ['1000 >= action.parameters.limit', { table: 't', limit: 1000 }, 'ALLOW'],
    ['parameters.table in ["a", "b"] && !has(parameters.where)', { table: 'b' }, 'ALLOW'],
    ['parameters.table in ["a", "b"] && !has(parameters.where)', { table: 'b', where: 'x' }, 'DENY'],
    ['parameters.table.startsWith("test_") || identity.role == "admin"', { table: 'test_data' }, 'ALLOW'],
    ['parameters["table"] != "customers"', { table: 'orders' }, 'ALLOW'],
    ['parameters.table.matches("^t[0-9]+$")', { table: 't12' }, 'ALLOW'],
    ['"mail" in identity.scope', { table: 't' }, 'ALLOW'],
    ['parameters.limit == -1', { table: 't', limit: -1 }, 'ALLOW'],
    ['!(parameters.limit > 5)', { table: 't', limit: 5 }, 'ALLOW'],
    ['!(parameters.limit > 5)', { table: 't' }, 'DENY'],
    ['!(parameters.limit > 5 || parameters.table == "x")', { table: 't', limit: 4 }, 'ALLOW'],
    ['!(parameters.limit > 5 && parameters.table == "x")', { table: 't' }, 'ALLOW'],
    ['!has(parameters.limit) || parameters.limit <= 5', { table: 't' }, 'ALLOW'],
    ['!!(parameters.limit == 5)', { table: 't', limit: 5 }, 'ALLOW'],
    ['!(parameters.table in ["a", "b"])', { table: 'c' }, 'ALLOW'],
    ['!("mail" in identity.scope)', { table: 't' }, 'DENY'],
    ['has(identity.delegation)', { table: 't' }, 'DENY'],
    ['parameters.table.contains("est")', { table: 'test_data' }, 'ALLOW'],
    ['impact == "high" && target == "database:t"', { table: 't' }, 'ALLOW'],
    ['tool == "database" && operation == "delete" && effect == "destructive"', { table: 't' }, 'ALLOW'],
  ])('%s with %j gives %s', (when, parameters, wanted) => {
    expect(decided(when, parameters)).toBe(wanted);
  });

  test.each([
    ['reason == "please"', /own words/],
    ['parameters.limit < parameters.limit + 1', /comparison other/],
    ['context.labels == parameters.table', /these two fields/],
    ['parameters.list.all(x, x > 1)', /cannot use/],
    ['size(parameters.table) > 3', /cannot use/],
    ['true', /cannot use/],
    ['parameters.limit + 1 > 2', /comparison other/],
    ['parameters.constructor.constructor("return process")()', /cannot/],
    ['context.secrets == "x"', /comparison other/],
    ['parameters.limit > 9007199254740993', /comparison other/],
    ['parameters.table.matches("(?=x)")', /regular expression/],
    ['(((', /cannot be read/],
    [`${'!'.repeat(5000)}parameters.limit`, /./],
  ])('refuses %.60s', (when, message) => {
    expect(issuesOf(text(when)).map((issue) => issue.message).join('\n')).toMatch(message);
  });

  test.each([
    ['context.owner == "ada@corp.example"', 'DENY'],
    ['has(context.owner)', 'DENY'],
    ['context.attributes.owner == "ada@corp.example"', 'DENY'],
    ['"delete" in context.user_intent', 'DENY'],
    ['has(context.user_intent) && "pay" in context.user_intent', 'ALLOW'],
    ['has(context.labels)', 'DENY'],
    ['"PII" in context.data_classification', 'DENY'],
    ['"db.query" in context.prior_actions', 'DENY'],
    ['"db.drop" in context.prior_actions', 'ALLOW'],
    ['context.provenance.table in ["untrusted_output", "nowhere"]', 'DENY'],
    ['context.elapsed > duration("20m")', 'DENY'],
    ['context.elapsed > duration("40m")', 'ALLOW'],
    ['context.risk_signals.injection > 0.5', 'DENY'],
    ['context.risk_signals.injection > 0.9', 'ALLOW'],
    ['!(context.owner == "eve@corp.example")', 'DENY'],
  ])('reads the context: %s denies, else it is allowed: %s', (when, wanted) => {
    const policy = policyFrom(policyText(`  - { id: r, match: { tool: database, operation: delete }, when: '${when}', action: DENY }\n  - { id: open, match: { tool: database }, action: ALLOW }`, 'information: { owner: { from: ["ip:records"] } }'));
    const decision = decideAbout(policy, 'database.delete', { table: 't' }, {
      attributes: [owner('database:t', 'ada@corp.example')], intent: { affirmed: ['delete'], doubtful: [] }, labels: ['PII'],
      prior: { counts: { 'database.query': 1 }, recent: [], total: 1 }, provenance: [{ path: 'table', source: 'untrusted_output' }],
      signals: [{ name: 'injection', score: 300, weight: 1000, evidence: 'x' }],
    });
    expect(decision.decision).toBe(wanted);
  });

  test.each([
    ['"pii" in context.labels', /capitals/],
    ['"frobnicate" in context.user_intent', /lexicon/],
    ['context.provenance.table == "somewhere"', /no provenance/],
    ['context.elapsed > 20', /time/],
    ['context.owner == duration("20m")', /cannot use the function duration/],
    ['context.risk_signals.mood > 0.5', /cannot use/],
    ['identity.name == "x"', /cannot use/],
    ['parameters.tabel == "x"', /no operations|None of the operations/],
    ['action.context.owner == "x"', /cannot use/],
    ['parameters.limit ? true : false', /cannot use/],
    ['context.provenance.table == context.user_intent', /cannot use/],
    ['action.reason == "x"', /own words/],
  ])('takes only words that exist: %s', (when, message) => {
    const found = issuesOf(text(when, 'DENY'));
    expect(found.map((issue) => issue.message).join('\n')).toMatch(message);
    for (const issue of found) expect([issue.path, issue.fix]).toEqual(['rules[0].when', expect.stringMatching(/./)]);
  });

  test('a when that reads labels is held to the same direction as the context', () => {
    expect(issuesOf(text('"PII" in context.labels')).map((issue) => issue.message).join()).toMatch(/allow more/);
    expect(issuesOf(text('"PII" in context.labels', 'DENY'))).toEqual([]);
    expect(issuesOf(text('!("PII" in context.labels)'))).toEqual([]);
  });
});
