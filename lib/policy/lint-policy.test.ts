import { describe, expect, test } from 'vitest';

import { policyText, stock } from '@/lib/testing/engine-fixtures';
import { nodeSha256 } from '@/lib/testing/node-crypto';

import { lintPolicy, type LintOptions } from './lint-policy';
import { parsePolicy } from './parse-policy';

function found(rules: string, header = '', options: LintOptions = {}): readonly string[] {
  const parsed = parsePolicy(policyText(rules, header), { catalogue: stock, sha256: nodeSha256 });
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.error.issues));
  return lintPolicy(parsed.value, options).map((finding) => `${finding.rule ?? '-'} ${finding.code}`);
}

describe('the linter names', () => {
  test('nothing in a policy that means what it says', () => {
    expect(found('  - { id: a, match: { tool: files, operation: read }, action: ALLOW }')).toEqual([]);
  });

  test.each([
    ['a rule that can never match', '  - { id: a, match: { tool: fles }, action: DENY }', 'a never_matches'],
    ['a rule that a higher one shadows', '  - { id: a, match: { tool: files, operation: read }, action: ALLOW }\n  - { id: b, match: { tool: files }, action: DENY }', 'a shadowed'],
    ['a rule that a forbidden one covers', '  - { id: a, match: { tool: files, operation: read }, action: ALLOW }\n  - { id: b, match: { tool: files }, action: DENY, classification: forbidden }', 'a covered_by_forbidden'],
    ['equal priorities that conflict', '  - { id: a, match: { tool: files }, action: ALLOW, priority: 5 }\n  - { id: b, match: { tool: files }, action: STEP_UP, priority: 5 }', 'a conflicting_priority'],
    ['a pattern that finds everything', '  - { id: a, match: { tool: files, operation: read, parameters: { path: { matches: "x*" } } }, action: DENY }', 'a matches_everything'],
    ['an attribute that nobody may supply', '  - { id: a, match: { tool: files }, context: { attributes: { colour: red } }, action: DENY }', 'a no_source'],
    ['external without internal domains', '  - { id: a, match: { tool: email, operation: send }, context: { recipient: { external: true } }, action: DENY }', 'a no_internal_domains'],
    ['an optional parameter that a deny compares', '  - { id: a, match: { tool: database, operation: delete, parameters: { limit: { gt: 5 } } }, action: DENY }', 'a optional_without_exists'],
    ['a kept file that a free command reads', '  - { id: a, match: { tool: files, operation: read, parameters: { path: { matches: "[.]env$" } } }, action: DENY }\n  - { id: b, match: { tool: shell }, action: ALLOW }', 'a open_to_commands'],
    ['a host that may stand anywhere in a URL', '  - { id: a, match: { tool: http, operation: fetch, parameters: { url: { matches: "https://api[.]corp[.]example/" } } }, action: ALLOW }', 'a url_as_text'],
    ['a part of a URL that is compared with the whole', '  - { id: a, match: { tool: http, operation: fetch, parameters: { url: { contains: "https://api.corp.example/" } } }, action: ALLOW }', 'a contains_whole_values'],
    ['a part of a path that is compared with the whole', '  - { id: a, match: { tool: files, operation: read, parameters: { path: { contains: .env } } }, action: DENY }', 'a contains_whole_values'],
  ])('%s', (_, rules, wanted) => {
    expect(found(rules)).toContain(wanted);
  });

  test.each([
    ['a kept file when commands are held back too', '  - { id: a, match: { tool: files, operation: read, parameters: { path: { matches: "[.]env$" } } }, action: DENY }\n  - { id: b, match: { tool: shell }, action: ALLOW }\n  - { id: c, match: { tool: shell, operation: exec, parameters: { command: { matches: "[.]env" } } }, action: DENY }'],
    ['a kept file when no command is allowed', '  - { id: a, match: { tool: files, operation: read, parameters: { path: { matches: "[.]env$" } } }, action: DENY }'],
    ['a pattern that begins where the URL begins', '  - { id: a, match: { tool: http, operation: fetch, parameters: { url: { matches: "^https://api[.]corp[.]example/" } } }, action: ALLOW }'],
    ['a URL that is refused for a word in it', '  - { id: a, match: { tool: http, operation: fetch, parameters: { url: { matches: "token=" } } }, action: DENY }'],
  ])('not %s', (_, rules) => {
    expect(found(rules)).toEqual([]);
  });

  test('a default that allows', () => {
    expect(found('  - { id: a, match: { tool: files }, action: DENY }', 'defaults: { decision: ALLOW }')).toContain('- default_allows');
  });

  test('groups that nobody belongs to', () => {
    const rules = '  - { id: a, match: { tool: files }, action: STEP_UP, approvers: [ghosts] }';
    expect(found(rules, '', { groups: ['approver'] })).toContain('a no_such_group');
    expect(found(rules, '', { groups: ['ghosts'] })).toEqual([]);
  });
});
