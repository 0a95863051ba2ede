import { describe, expect, test } from 'vitest';

import { issuesOf, useStock } from '@/lib/testing/engine-fixtures';

const mistakes = `schema: countersign/policy/v1
id: Production
${useStock}
defualts: { decision: DENY }
approvals: { approvers: [approver], timeout: soon, quorum: 0 }
information:
  owner: { from: [records], max_age: 5m }
tools:
  - { name: crm.export, effect: read }
  - { name: crm.import, effect: write, impact: low, parameters: { id: { type: text } } }
rules:
  - id: a
    match: { tool: email, operation: send, parameters: { reciever: x, body: { contians: y } } }
    action: DENNY
  - id: b
    match: { tool: email, operation: send, parameters: { subject: { matches: "(?=x)" } } }
    context:
      user_intent: { contains: [delte] }
      data_classification: { contains: [pii] }
      time_window: { zone: Europe/Berln, days: [mon] }
    when: 'parameters.subject == "x" && size(parameters.body) > 3'
    action: DENY
    quorum: 2
  - id: b
    match: { tool: database, operation: delete }
    action: MODIFY
    modify: [{ cap: parameters.limit, at: ten }]
  - match: { tool: files }
    action: STEP_UP
    approvers: []
    priority: 0100
`;

describe('a policy with twenty-one mistakes', () => {
  const issues = issuesOf(mistakes);

  test('is told all of them at once, each with line, column, path and fix', () => {
    expect(issues.map(({ line, column, path, message }) => `${String(line)}:${String(column)} ${path}: ${message}`)).toEqual([
      '2:1 id: An id is lower-case letters, digits, dot, dash or underscore, at most 64.',
      '4:1 defualts: There is no key "defualts" here.',
      expect.stringContaining('5:37 approvals.timeout: This is no time'),
      expect.stringContaining('5:52 approvals.quorum: Too small'),
      expect.stringContaining('7:19 information.owner.from[0]: A source is ip:'),
      '9:5 tools[0]: crm.export is new, so it needs effect and impact.',
      expect.stringContaining('10:73 tools[1].parameters.id.type: Wanted one of string, number'),
      '13:58 rules[0].match.parameters.reciever: None of the operations that this rule matches has a parameter "reciever".',
      '13:79 rules[0].match.parameters.body.contians: There is no operator "contians".',
      '14:5 rules[0].action: Wanted one of ALLOW, MODIFY, STEP_UP, DEFER, DENY.',
      expect.stringContaining('16:69 rules[1].match.parameters.subject.matches: The regular expression cannot be read'),
      expect.stringContaining('18:22 rules[1].context.user_intent.contains: The lexicon knows no concept "delte"'),
      expect.stringContaining('19:30 rules[1].context.data_classification.contains: A label is written in capitals'),
      '20:22 rules[1].context.time_window.zone: There is no time zone "Europe/Berln".',
      '21:41 rules[1].when: A when cannot use the function size.',
      '23:5 rules[1].quorum: quorum means nothing for DENY.',
      '24:5 rules[2].id: There is another rule b.',
      '27:39 rules[2].modify[0].at: Wanted number, got string.',
      '28:5 rules[3].id: id is missing.',
      expect.stringContaining('30:5 rules[3].approvers: Too small'),
      '31:15 rules[3].priority: 0100 would lose its leading zeros.',
    ]);
    for (const issue of issues) expect(issue.fix, issue.message).toMatch(/\w.*[.?]$/);
  });

  test('is put right by what it is told', () => {
    expect(issues.flatMap(({ fix }) => (fix?.startsWith('Did you mean') === true ? [fix] : []))).toEqual([
      'Did you mean defaults?', 'Did you mean contains?', 'Did you mean DENY?', 'Did you mean delete?', 'Did you mean Europe/Berlin?',
    ]);
    expect(issues.find(({ path }) => path.endsWith('data_classification.contains'))?.fix).toBe('Write PII.');
  });
});

describe('a problem inside an expression', () => {
  const head = `schema: countersign/policy/v1\nid: test\n${useStock}\nrules:\n  - id: a\n    match: { tool: email, operation: send }\n    action: DENY\n`;

  test.each([
    ['plain', '    when: parameters.subject == 1 + 2', 8, 11],
    ['in single quotes', `    when: 'has(parameters.subject) && "it''s" == size(parameters.body)'`, 8, 50],
    ['in double quotes', '    when: "parameters.subject == \\"x\\" && tool.size() > 1"', 8, 43],
    ['in a block', '    when: |\n      parameters.subject == "x"\n      && size(tool) > 1', 10, 10],
    ['that cannot be read', "    when: 'parameters.subject === 1'", 8, 33],
  ])('%s is told with its own place', (_, when, line, column) => {
    expect(issuesOf(`${head}${when}\n`).map((issue) => [issue.line, issue.column])).toContainEqual([line, column]);
  });

  test('is found in JSON too', () => {
    const json = JSON.stringify({ schema: 'countersign/policy/v1', id: 'test', use: useStock.slice(5), rules: [{ id: 'a', match: { tool: 'email', operation: 'send' }, action: 'DENY', when: 'parameters.subject == "x" || size(tool) > 1' }] });
    const [issue] = issuesOf(json, 'json');
    expect(json.slice((issue?.column ?? 0) - 1)).toMatch(/^size\(tool\)/);
  });
});
