import { readFileSync } from 'node:fs';
import path from 'node:path';

import { describe, expect, it } from 'vitest';

import { stockCatalogue } from '@/lib/mediate/stock';
import { nodeSha256 as sha256 } from '@/lib/testing/node-crypto';

import type { PolicyFormat } from '../read-text';
import { completePolicy } from './complete-policy';
import { explainWord } from './explain-word';
import { keyDescriptions } from './key-descriptions';
import { policySchema } from './schema-at';

const root = policySchema();
const names = {
  catalogue: stockCatalogue(sha256),
  groups: [{ name: 'data-owner', people: 1 }, { name: 'finance', people: 3 }],
  agents: ['helper'],
  information: ['criticality'],
};

function offered(text: string, format: PolicyFormat = 'yaml') {
  const offset = text.indexOf('|');
  return completePolicy({ text: text.replace('|', ''), offset, format }, root, names)?.options ?? [];
}
const labels = (text: string, format?: PolicyFormat): readonly string[] => offered(text, format).map(({ label }) => label);
const meaning = (text: string): readonly string[] => explainWord({ text: text.replace('|', ''), offset: text.indexOf('|'), format: 'yaml' }, root, names)?.lines ?? [];

const rule = 'rules:\n  - id: a\n    ';

describe('completion', () => {
  it('offers the keys of the document that do not stand there yet, with what they mean', () => {
    const keys = offered('schema: x\n|');
    expect(keys.map(({ label }) => label)).toEqual(expect.arrayContaining(['id', 'use', 'rules', 'tools', 'approvals']));
    expect(keys.map(({ label }) => label)).not.toContain('schema');
    expect(keys.find(({ label }) => label === 'rules')).toMatchObject({ insert: 'rules: ', info: keyDescriptions['rules'] });
    expect(keys.find(({ label }) => label === 'use')).toMatchObject({ detail: 'needed' });
  });

  it.each([
    ['keys of a rule', `${rule}|`, ['match', 'context', 'when', 'action', 'approvers', 'modify']],
    ['decisions', `${rule}action: |`, ['ALLOW', 'MODIFY', 'STEP_UP', 'DEFER', 'DENY']],
    ['no MODIFY as a baseline', 'defaults:\n  decision: |', ['ALLOW', 'DENY']],
    ['tools of the catalogue', `${rule}match: { tool: |`, ['email', 'database', 'payments']],
    ['operations of the tool that was named', `${rule}match: { tool: email, operation: |`, ['send']],
    ['parameters of the operation', `${rule}match: { tool: email, operation: send, parameters: { |`, ['to', 'body']],
    ['operators on a parameter', `${rule}match: { parameters: { to: { |`, ['external', 'domain_in', 'contains']],
    ['groups of the roster', `${rule}approvers: [|`, ['data-owner', 'finance']],
    ['groups to escalate to', `${rule}escalate: { to: [|`, ['finance']],
    ['labels', `${rule}context: { data_classification: { contains: [|`, ['PII', 'CONFIDENTIAL']],
    ['prior actions', `${rule}context: { prior_actions: { contains: [|`, ['database.query']],
    ['what a request may ask for', `${rule}context: { user_intent: { contains: [|`, ['cleanup']],
    ['signals', `${rule}context: { risk_signals: { |`, ['injection']],
    ['attributes with a source', `${rule}context: { attributes: { |`, ['criticality']],
    ['sources', 'information:\n  owner:\n    from: [|', ['requester', 'group:finance']],
    ['time zones', `${rule}context: { time_window: { zone: |`, ['Europe/Berlin', 'UTC']],
    ['agents', `${rule}match: { identity: { agent: |`, ['helper']],
  ])('offers %s', (_name, text, wanted) => {
    expect(labels(text)).toEqual(expect.arrayContaining(wanted));
  });

  it('offers only operations of the tool, and no MODIFY where there is no room for one', () => {
    expect(labels(`${rule}match: { tool: email, operation: |`)).not.toContain('transfer');
    expect(labels('defaults:\n  decision: |')).not.toContain('MODIFY');
  });

  it('writes the whole line for the catalogue that is here', () => {
    expect(offered('use: |')[0]?.insert).toBe(`stock@1 sha256:${names.catalogue.digest}`);
  });

  it('works in JSON, with quotes, and in the blocks of Markdown but not in its prose', () => {
    expect(offered('{ "approvals": { |', 'json').find(({ label }) => label === 'timeout')?.insert).toBe('"timeout": ');
    expect(offered('{ "approvals": { "|', 'json').find(({ label }) => label === 'timeout')?.insert).toBe('timeout');
    const markdown = '# Words\n\n```yaml policy\napprovals:\n  |\n```\n';
    expect(labels(markdown, 'markdown')).toContain('timeout');
    expect(labels('# Wo|rds\n\n```yaml policy\nid: x\n```\n', 'markdown')).toEqual([]);
  });

  it('knows every place of the policies that ship', () => {
    const folder = path.resolve(import.meta.dirname, '../../../policies');
    for (const file of ['starter.yaml', 'demo.yaml']) {
      const text = readFileSync(path.join(folder, file), 'utf8');
      for (const match of text.matchAll(/^\s+(?:- )?action: (?=[A-Z])/gm)) {
        const offset = match.index + match[0].length;
        expect(completePolicy({ text, offset, format: 'yaml' }, root, names)?.options.map(({ label }) => label)).toContain('STEP_UP');
      }
    }
  });
});

describe('hover', () => {
  it('says what a key means, and which words it takes', () => {
    expect(meaning(`${rule}act|ion: DENY`)).toEqual([keyDescriptions['rules[].action'], 'One of ALLOW, MODIFY, STEP_UP, DEFER, DENY.']);
    expect(meaning('approvals: { quo|rum: 2 }')).toEqual([keyDescriptions['approvals.quorum']]);
  });

  it('says what a decision, a tool, an operation and a group are', () => {
    expect(meaning(`${rule}action: STEP|_UP`)).toEqual(['It is held until people countersign it.']);
    expect(meaning(`${rule}match: { tool: ema|il }`)[0]).toMatch(/^A tool with .*send/);
    expect(meaning(`${rule}match: { tool: email, operation: se|nd }`)).toEqual(['communicate, medium impact.']);
    expect(meaning(`${rule}approvers: [fin|ance]`)).toEqual(['3 people.']);
    expect(meaning('tools:\n  - name: email.se|nd')).toEqual(expect.arrayContaining(['communicate, medium impact.', expect.stringMatching(/^to: /)]));
  });

  it('says nothing in a comment, or about a name that it does not know', () => {
    expect(meaning('# act|ion: DENY')).toEqual([]);
    expect(meaning(`${rule}approvers: [nob|ody]`)).toEqual([]);
  });
});
