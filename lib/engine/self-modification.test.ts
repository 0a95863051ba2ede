import { describe, expect, test } from 'vitest';

import type { JsonObject } from '@/lib/shared/json';
import { decideAbout, policyFrom, policyText } from '@/lib/testing/engine-fixtures';

/** A policy that allows everything, also a tool whose parameters say nothing about what they are. */
const policy = policyFrom(
  policyText(
    ['files', 'shell', 'git', 'disk', 'email'].map((tool) => `  - { id: all-${tool}, match: { tool: ${tool} }, action: ALLOW, priority: 1000 }\n`).join(''),
    'tools:\n  - { name: disk.put, effect: write, impact: low, parameters: { where: { type: string }, more: { type: object, optional: true } } }\n  - { name: disk.get, effect: read, impact: low, parameters: { where: { type: string } } }',
  ),
);
const decided = (name: string, parameters: JsonObject) => decideAbout(policy, name, parameters);

describe('no policy lets an agent touch what decides about it', () => {
  test.each<[string, string, JsonObject]>([
    ['a policy by its absolute path', 'files.write', { path: '/srv/app/policies/x.yaml', content: '' }],
    ['one below the folder of policies', 'files.write', { path: '/srv/app/policies/team/x.yml', content: '' }],
    ['a policy in Markdown', 'files.write', { path: 'policies/coding-agent.md', content: '' }],
    ['the folder of policies', 'files.delete', { path: '/srv/app/policies' }],
    ['the folder of an agent', 'files.delete', { path: '/srv/app/.claude' }],
    ['the folder of an editor', 'files.delete', { path: '.vscode/' }],
    ['one, by moving it', 'shell.exec', { command: 'mv .cursor /tmp/x' }],
    ['one, by removing it', 'shell.exec', { command: 'rm -rf .claude' }],
    ['one, by removing its hooks', 'shell.exec', { command: 'rm -r .claude/hooks' }],
    ['one, after going elsewhere', 'shell.exec', { command: 'cd /srv && rm -r app/.vscode' }],
    ['one, by finding it', 'shell.exec', { command: 'find .claude -delete' }],
    ['a policy after cd', 'shell.exec', { command: 'cd policies && rm starter.yaml' }],
    ['a policy through git elsewhere', 'shell.exec', { command: 'git -C policies restore ./starter.yaml' }],
    ['the state after cd', 'shell.exec', { command: 'cd .countersign && cat keys/plane.pem' }],
    ['the state through git', 'shell.exec', { command: 'git -C .countersign status' }],
    ['the state in a folder of two names', 'shell.exec', { command: 'cat ./x/../.Countersign/pin.json' }],
    ['the state in an interpreter', 'shell.exec', { command: `python3 -c "open('.countersign/keys/plane.pem')"` }],
    ['the state in a copy', 'shell.exec', { command: 'tar czf a.tgz --exclude=b .countersign' }],
    ['the state with a dot at its end, which some volumes drop', 'files.read', { path: '.countersign./keys' }],
    ['the state in full-width letters', 'files.read', { path: '.ｃountersign/keys' }],
    ['the state, named in a parameter without a role', 'disk.get', { where: '/srv/.countersign/pin.json' }],
    ['hooks, named in a parameter without a role', 'disk.put', { where: '.claude/settings.json' }],
    ['hooks, named deeper', 'disk.put', { where: 'x', more: { file: ['.mcp.json'] } }],
    ['rules of another tool of this kind', 'files.write', { path: '/srv/project/.governance/policy.yaml', content: '' }],
  ])('%s', (_, name, parameters) => {
    expect(decided(name, parameters)).toMatchObject({ decision: 'DENY', code: 'forbidden_action' });
  });

  test.each<[string, string, JsonObject]>([
    ['reading a policy', 'files.read', { path: '/srv/app/policies/x.yaml' }],
    ['looking into an editor’s folder', 'shell.exec', { command: 'ls .vscode' }],
    ['other files of an editor', 'files.write', { path: '.vscode/launch.json', content: '' }],
    ['prose about it', 'email.send', { to: 'ada@corp.example', body: 'The keys are in .countersign/keys, policies in policies/x.yaml.' }],
    ['a name that only begins alike', 'files.read', { path: 'countersign/README.md' }],
    ['another folder of that name', 'files.write', { path: 'src/policies/list.ts', content: '' }],
  ])('%s is not that', (_, name, parameters) => {
    expect(decided(name, parameters).decision).toBe('ALLOW');
  });
});
