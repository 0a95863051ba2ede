import { describe, expect, test } from 'vitest';

import { decideAbout, issuesOf, policyFrom, policyText } from '@/lib/testing/engine-fixtures';

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
    ['tool == "database" && operation == "delete" && effect == "destructive"', { table: 't' }, 'ALLOW'],
  ])('%s with %j gives %s', (when, parameters, wanted) => {
    expect(decided(when, parameters)).toBe(wanted);
  });

  test.each([
    ['reason == "please"', /own words/],
    ['parameters.limit < parameters.other', /comparison other/],
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

  test('a when that reads labels is held to the same direction as the context', () => {
    expect(issuesOf(text('"PII" in context.labels')).map((issue) => issue.message).join()).toMatch(/allow more/);
    expect(issuesOf(text('"PII" in context.labels', 'DENY'))).toEqual([]);
    expect(issuesOf(text('!("PII" in context.labels)'))).toEqual([]);
  });
});
