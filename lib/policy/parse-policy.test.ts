import { describe, expect, test } from 'vitest';

import { actionFrom, decideAbout, issuesOf, policyFrom, policyText, stock, useStock } from '@/lib/testing/engine-fixtures';
import { nodeSha256 } from '@/lib/testing/node-crypto';
import { digestOf, utf8 } from '@/lib/shared/encoding';

import { compilePolicy } from './compile-policy';
import { parsePolicy } from './parse-policy';

const head = `schema: countersign/policy/v1\nid: test\n${useStock}\n`;
const messages = (text: string): readonly string[] => issuesOf(text).map((issue) => `${String(issue.line)}:${String(issue.column)} ${issue.path} ${issue.message}`);
const rule = (lines: string): string => policyText(`  - id: r\n${lines.split('\n').map((line) => `    ${line}`).join('\n')}`);

describe('reading a policy', () => {
  test('takes its digest from the exact bytes, prose included', () => {
    const text = policyText('');
    const parsed = parsePolicy(text, { catalogue: stock, sha256: nodeSha256 });
    expect(parsed.ok && parsed.value.digest).toBe(digestOf(nodeSha256, utf8(text)));
    const spaced = parsePolicy(`${text}\n`, { catalogue: stock, sha256: nodeSha256 });
    expect(spaced.ok && spaced.value.digest).not.toBe(parsed.ok && parsed.value.digest);
  });

  test('fills in what is left out', () => {
    const policy = policyFrom(head);
    expect(policy).toMatchObject({
      defaults: { decision: 'DENY', unclassified: 'RESTRICTED' }, confidence: { high: 750, low: 400, defer_below: 500 },
      approvals: { approvers: ['approver'], timeout_s: 1800, quorum: 1, separation: true }, deferrals: { timeout_s: 300, depth: 3 },
      permits: { ttl_s: 60, after_approval_s: 600, outcome_s: 900 }, sessions: { ttl_s: 86_400, idle_s: 28_800 },
      limits: { held_per_session: 20, held_per_agent: 50, held_per_human: 100, new_per_minute: 30 }, internalDomains: null,
    });
  });

  test('reports every problem at once, each in its place', () => {
    const text = `${head}approvals: { timeout: soon }\nrules:\n  - id: a\n    mach: { tool: email }\n    action: DENNY\n  - id: b\n    match: { tool: email, operation: send }\n    context: { user_intnet: { contains: [delete] } }\n    action: DENY\n`;
    expect(messages(text)).toEqual([
      '4:14 approvals.timeout This is no time, or one over 30 days.',
      expect.stringMatching(/^7:5 rules\[0\]\.mach There is no key "mach" here\.$/),
      expect.stringMatching(/^8:5 rules\[0\]\.action Wanted one of /),
      expect.stringMatching(/^11:16 rules\[1\]\.context\.user_intnet There is no context predicate "user_intnet"\.$/),
    ]);
    expect(issuesOf(text).map((issue) => issue.fix)).toEqual(['Write it like 90s, 10m, 1h30m or 2d.', 'Did you mean match?', 'Did you mean DENY?', 'Did you mean user_intent?']);
  });

  test.each([
    ['an anchor', `${head}defaults: &a { decision: DENY }\n`, /Anchors/],
    ['an alias', `${head}approvals: { approvers: &a [x] }\nlimits: *a\n`, /Aliases|Anchors/],
    ['a tag', `${head}id2: !!str 5\n`, /Tags/],
    ['a merge', `${head}defaults:\n  <<: { decision: ALLOW }\n`, /<</],
    ['a repeated key', `${head}defaults: { decision: DENY, decision: ALLOW }\n`, /unique/i],
    ['a repeated key, once in quotes', `${head}defaults: { decision: DENY, "decision": ALLOW }\n`, /unique/i],
    ['a repeated list of rules', `${head}rules: []\nlimits: {}\nrules: []\n`, /unique/i],
    ['a second document', `${head}---\n${head}`, /document/i],
    ['YAML 1.1', `%YAML 1.1\n---\n${head}`, /1\.2/],
    ['a leading zero', rule('match: { tool: payments, operation: transfer, parameters: { amount: 0123 } }\naction: DENY'), /leading zeros/],
    ['a number that is not exact', rule('match: { tool: payments, operation: transfer, parameters: { amount: 9007199254740993 } }\naction: DENY'), /exactly/],
    ['an empty text', '', /empty/],
    ['deep brackets', `${head}rules: ${'['.repeat(20_000)}`, /nested/],
    ['an unknown key', `${head}permissions: { read: { deny: ["**/.env*"] } }\n`, /no key "permissions"/],
    ['another catalogue', head.replace(/sha256:.{4}/, 'sha256:0000'), /not the catalogue/],
    ['a catalogue without a digest', head.replace(/ sha256:.*/, ''), /digest/],
    ['an empty list of approvers', rule('match: { tool: email }\naction: STEP_UP\napprovers: []'), /./],
    ['a key of another action', rule('match: { tool: email }\naction: DENY\nquorum: 2'), /means nothing for DENY/],
    ['a DEFER that asks nobody to agree', rule('match: { tool: email }\naction: DEFER\ncontext_needed: [owner]\nquorum: 2'), /only when it names them/],
    ['a MODIFY without changes', rule('match: { tool: email }\naction: MODIFY'), /what it changes/],
    ['a change twice', rule('match: { tool: database, operation: delete }\naction: MODIFY\nmodify: [{ cap: parameters.limit, at: 1 }, { drop: parameters.limit }]'), /changed twice/],
    ['a parameter that no operation has', rule('match: { tool: email, operation: send, parameters: { reciever: x } }\naction: DENY'), /has a parameter "reciever"/],
    ['a parameter that no operation has, in a when', rule("match: { tool: email, operation: send }\nwhen: 'parameters.reciever == \"x\"'\naction: DENY"), /has a parameter "reciever"/],
    ['the provenance of a parameter that no operation has', rule('match: { tool: email, operation: send }\ncontext: { provenance: { reciever: [nowhere] } }\naction: DENY'), /has a parameter "reciever"/],
    ['a change of a parameter that no operation has', rule('match: { tool: email, operation: send }\naction: MODIFY\nmodify: [{ redact: parameters.bdy, what: [PII] }]'), /has a parameter "bdy"/],
    ['a cap on a text', rule('match: { tool: email, operation: send }\naction: MODIFY\nmodify: [{ cap: parameters.body, at: 5 }]'), /cap cannot be done to body/],
    ['a redaction of a number', rule('match: { tool: payments, operation: transfer }\naction: MODIFY\nmodify: [{ redact: parameters.amount, what: [PII] }]'), /redact cannot be done to amount/],
    ['dropping what must be there', rule('match: { tool: email, operation: send }\naction: MODIFY\nmodify: [{ drop: parameters.to }]'), /may not be left out/],
    ['a value of another type', rule('match: { tool: payments, operation: transfer }\naction: MODIFY\nmodify: [{ set: parameters.amount, to: much }]'), /set to something else/],
    ['a change inside a text', rule('match: { tool: email, operation: send }\naction: MODIFY\nmodify: [{ drop: parameters.body.footer }]'), /nothing inside it/],
    ['an operator that does not exist', rule('match: { tool: email, operation: send, parameters: { body: { contians: x } } }\naction: DENY'), /no operator/],
    ['an operator that the field does not take', rule('match: { tool: email }\ncontext: { elapsed: { matches: x } }\naction: DENY'), /cannot be asked/],
    ['a regular expression that is not linear', rule('match: { tool: email, operation: send, parameters: { body: { matches: "(?=a)" } } }\naction: DENY'), /regular expression/],
    ['a signal that nobody measures', rule('match: { tool: email }\ncontext: { risk_signals: { injecton: { gt: 0.5 } } }\naction: DENY'), /no signal "injecton"/],
    ['a risk that is no share', rule('match: { tool: email }\ncontext: { risk_signals: { injection: { gt: 500 } } }\naction: DENY'), /share from 0/],
    ['a deny that a suspicious session escapes', rule('match: { tool: email }\ncontext: { risk_signals: { injection: { lt: 0.5 } } }\naction: DENY'), /hold less/],
    ['an allow that a suspicious session gets', rule('match: { tool: email }\ncontext: { risk_signals: { injection: { gte: 0.5 } } }\naction: ALLOW'), /allow more/],
    ['a baseline of MODIFY', `${head}defaults: { decision: MODIFY }\n`, /says what it changes/],
    ['a medium confidence that nothing can have', `${head}confidence: { high: 0.3, low: 0.6 }\n`, /low is above high/],
    ['a list where one value is compared', rule('match: { tool: email, operation: send, parameters: { body: { eq: [a, b] } } }\naction: DENY'), /one value/],
    ['a concept that the lexicon lacks', rule('match: { tool: email }\ncontext: { user_intent: { contains: [frobnicate] } }\naction: DENY'), /lexicon/],
    ['a forbidden rule with context', rule('match: { tool: email }\ncontext: { elapsed: { gt: 1h } }\naction: DENY\nclassification: forbidden'), /does not fit/],
    ['a classification that disagrees', rule('match: { tool: email }\naction: ALLOW\nclassification: context_dependent_allow'), /does not fit/],
    ['an allow without a match', rule('context: { elapsed: { lt: 1h } }\naction: ALLOW'), /names what it allows/],
    ['an allow that sensitive data makes truer', rule('match: { tool: email }\ncontext: { data_classification: { contains: [PII] } }\naction: ALLOW'), /allow more/],
    ['a deny that untrusted values escape', rule('match: { tool: email }\ncontext: { provenance: { to: { in: [request, person] } } }\naction: DENY'), /hold less/],
    ['a deny on exactly one place in the middle', rule('match: { tool: email }\ncontext: { provenance: { to: trusted_output } }\naction: DENY'), /hold less/],
    ['a restriction to internal without domains', rule('match: { tool: email, operation: send }\naction: MODIFY\nmodify: [{ restrict: parameters.to, to: internal }]'), /internal/],
    ['opaque on a rule that is not forbidden', rule('match: { tool: email }\naction: DENY\nopaque: STEP_UP'), /forbidden rules/],
    ['a new tool without effect', `${head}tools: [{ name: crm.export }]\n`, /effect and impact/],
    ['two rules of one id', policyText('  - { id: a, match: { tool: email }, action: DENY }\n  - { id: a, match: { tool: files }, action: DENY }'), /another rule a/],
    ['a prototype as a key', rule('match: { tool: email, operation: send, parameters: { __proto__: x } }\naction: DENY'), /__proto__/],
  ])('refuses %s', (_, text, message) => {
    const found = issuesOf(text);
    expect(found.map((issue) => issue.message).join('\n')).toMatch(message);
    for (const issue of found) expect([(issue.line ?? 0) > 0, (issue.column ?? 0) > 0, (issue.fix ?? '') !== '']).toEqual([true, true, true]);
  });

  test.each<[string, string]>([
    ['thousands of merges and aliases', `a: &a {k: 1}\nb: {<<: [${Array.from({ length: 20_000 }, () => '*a').join(', ')}]}\n`],
    ['thousands of names in one map', `${head}x: {${Array.from({ length: 20_000 }, (_, i) => `k${String(i)}: 1`).join(', ')}}\n`],
  ])('refuses %s quickly', (_, text) => {
    const started = performance.now();
    expect(issuesOf(text)).not.toEqual([]);
    expect(performance.now() - started).toBeLessThan(4000);
  });

  test('reads JSON as strictly, and Markdown by its policy blocks with true line numbers', () => {
    const json = JSON.stringify({ schema: 'countersign/policy/v1', id: 'test', use: useStock.slice(5), rules: [{ id: 'a', match: { tool: 'email', operation: 'send' }, action: 'ALLOW' }] });
    expect(decideAbout(policyFrom(json, 'json'), 'email.send', { to: 'b@c.example', body: '' }).decision).toBe('ALLOW');
    expect(issuesOf(json.replace('"id":"test"', '"id":"test","id":"b"'), 'json')).not.toEqual([]);
    const markdown = `# Why\n\nProse.\n\n\`\`\`yaml policy\n${head}\`\`\`\n\n\`\`\`yaml\nnot: this\n\`\`\`\n\nMore.\n\n\`\`\`yaml policy\nrules:\n  - { id: a, match: { tool: email, operation: send }, action: ALOW }\n\`\`\`\n`;
    expect(issuesOf(markdown, 'markdown').map((issue) => [issue.line, issue.path])).toEqual([[19, 'rules[0].action']]);
    expect(decideAbout(policyFrom(markdown.replace('ALOW', 'ALLOW'), 'markdown'), 'email.send', { to: 'b@c.example', body: '' }).decision).toBe('ALLOW');
    expect(issuesOf('# Only prose', 'markdown').map((issue) => issue.message)).toEqual([expect.stringContaining('no block')]);
  });

  test.each([
    ['in a comment that nobody sees', '<!--\n```yaml policy\nBLOCK```\n-->\n', /does not see it/, 3],
    ['behind a comment that ends and begins again', '<!-- a --> <!--\n\n```yaml policy\nBLOCK```\n-->\n', /does not see it/, 4],
    ['that is indented', '- item\n\n  ```yaml policy\n  BLOCK```\n', /indented/, 4],
    ['with another word on its fence', '```yaml policy title=x\nBLOCK```\n', /opens no policy block/, 2],
    ['in an element that may be hidden', '<div hidden>\n\n```yaml policy\nBLOCK```\n\n</div>\n', /HTML/, 2],
    ['that is never closed', '```yaml policy\nBLOCK', /never closed/, 2],
  ])('refuses a Markdown block %s', (_, text, message, line) => {
    const found = issuesOf(`Prose.\n${text.replace('BLOCK', head)}`, 'markdown');
    expect(found.map((issue) => issue.message).join('\n')).toMatch(message);
    expect(found[0]?.line).toBe(line);
  });

  test.each([
    ['turns the direction', `${head}description: "a\u202E b"\n`, 'yaml', 4, 16],
    ['turns the direction, in a comment', `# \u2066x\n${head}`, 'yaml', 1, 3],
    ['turns the direction, in prose', `Prose \u202E.\n\n\`\`\`yaml policy\n${head}\`\`\`\n`, 'markdown', 1, 7],
    ['cannot be seen', rule('match: { tool: email, operation: send, parameters: { subject: "pay\u200Broll" } }\naction: DENY'), 'yaml', 7, 71],
  ] as const)('refuses a character that %s', (_, text, format, line, column) => {
    const found = issuesOf(text, format);
    expect(found.map((issue) => [issue.line, issue.column])).toContainEqual([line, column]);
    expect(found.map((issue) => issue.message).join()).toMatch(/U\+[0-9A-F]{4}/);
  });

  test('lets prose have what rules may not, and addresses in angle brackets', () => {
    const text = `\uFEFF# Why 👩\u200D💻\n\nSee <https://corp.example/a> and \`<name>\`; 3 < 5.\n\n\`\`\`yaml policy\n${head}\`\`\`\n`;
    expect(policyFrom(text, 'markdown').id).toBe('test');
  });

  test('reads a Markdown block beside one that is shown inside another fence', () => {
    const text = `# Why\n\n<!-- a note -->\n\n\`\`\`\`\nAn example:\n\`\`\`yaml policy\nid: other\n\`\`\`\n\`\`\`\`\n\n~~~yaml policy\n${head}~~~\n`;
    expect(policyFrom(text, 'markdown').id).toBe('test');
  });

  test('resolves aliases of tools in rules as in actions', () => {
    const policy = policyFrom(policyText('  - { id: a, match: { tool: db, operation: query }, action: ALLOW }'));
    expect(decideAbout(policy, 'database.query', { query: 'SELECT 1' }).decision).toBe('ALLOW');
  });

  test('extends the catalogue with tools of its own', () => {
    const policy = policyFrom(`${head}tools:\n  - { name: crm.export, effect: read, impact: medium, decision: ALLOW, parameters: { id: { type: string, role: target } } }\n  - { name: files.read, decision: ALLOW, grant: required }\n`);
    expect(decideAbout(policy, 'crm.export', { id: 'c1' }).baseline).toEqual({ decision: 'ALLOW', from: 'catalogue' });
    expect(decideAbout(policy, 'files.read', { path: 'a' })).toMatchObject({ decision: 'DENY', code: 'grant_needed' });
    expect(decideAbout(policy, 'files.read', { path: 'a' }, { grants: ['g2', 'g1'] })).toMatchObject({ decision: 'ALLOW', grants: ['g1'] });
    expect(actionFrom('crm.export', { id: 'c1' }, policy).facts.target).toBe('crm:c1');
  });

  test('gives fifty loads of one text one and the same decision', () => {
    const text = policyText('  - { id: ask, match: { tool: "*" }, action: STEP_UP }\n  - { id: no, match: { tool: shell, operation: exec, parameters: { command: { starts_with: git checkout } } }, action: DENY }');
    const found = new Set(Array.from({ length: 50 }, () => {
      const parsed = parsePolicy(text, { catalogue: stock, sha256: nodeSha256 });
      if (!parsed.ok) throw new Error('It loads.');
      return JSON.stringify(decideAbout(compilePolicy(parsed.value), 'shell.exec', { command: 'git checkout -- src/db.py' }));
    }));
    expect([...found].map((text) => (JSON.parse(text) as { decision: string }).decision)).toEqual(['DENY']);
  });

  test('derives classification and priority where they are left out', () => {
    const policy = policyFrom(policyText(`  - { id: a, match: { tool: email }, action: DENY }
  - { id: b, match: { tool: email }, context: { elapsed: { gt: 1h } }, action: DENY }
  - { id: c, match: { tool: email }, context: { elapsed: { gt: 1h } }, action: STEP_UP }
  - { id: d, match: { tool: email }, context: { elapsed: { gt: 1h } }, action: DEFER }
  - { id: e, match: { tool: email }, context: { elapsed: { gt: 1h } }, action: ALLOW }
  - { id: f, match: { tool: email }, when: 'context.owner == "x"', action: ALLOW }
  - { id: g, match: { tool: email }, when: 'identity.role == "x"', action: ALLOW }`));
    expect(policy.rules.map(({ id, classification, priority }) => [id, classification, priority]).sort()).toEqual([
      ['a', 'static', 300], ['b', 'context_dependent_deny', 300], ['c', 'context_dependent_decision', 200], ['d', 'context_dependent_defer', 250],
      ['e', 'context_dependent_allow', 0], ['f', 'context_dependent_allow', 0], ['g', 'static', 0],
    ]);
  });
});
