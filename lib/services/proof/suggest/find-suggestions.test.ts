import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { compilePolicyText } from '@/lib/server/compile-policy-text';
import { digestOf, utf8 } from '@/lib/shared/encoding';
import type { JsonObject } from '@/lib/shared/json';
import { policyFrom, policyText } from '@/lib/testing/engine-fixtures';
import { nodeSha256 as sha256 } from '@/lib/testing/node-crypto';
import { ReplayableLog } from '@/lib/testing/replayable-log';

import { replayLog } from '../replay-log';
import { findSuggestions, type Suggestion } from './find-suggestions';

const text = policyText(`  - id: look-at-files
    match: { tool: files, operation: write }
    action: STEP_UP
    approvers: [approver]
    reason: A person looks.
  - id: look-at-mail
    match: { tool: email, operation: send }
    action: STEP_UP
    approvers: [approver]
    reason: A person looks.
  - id: no-keys
    match: { tool: files, operation: write, parameters: { path: { within: [secrets] } } }
    action: DENY
    classification: forbidden
    reason: Never.`);
const policy = policyFrom(text);
const base = { text, format: 'yaml', digest: digestOf(sha256, utf8(text)) } as const;

type Step = { readonly agent: string; readonly name: string; readonly parameters: JsonObject; readonly people: 'approved' | 'denied' | 'expired' };

async function logOf(steps: readonly Step[]): Promise<ReplayableLog> {
  const log = new ReplayableLog();
  for (const { agent, name, parameters, people } of steps) {
    const { approval } = await log.decide(policy, agent, name, parameters);
    if (approval !== null) await log.resolve(approval, people);
  }
  return log;
}

async function suggested(log: ReplayableLog, least = 3): Promise<readonly Suggestion[]> {
  const found = await findSuggestions(log.parts, compilePolicyText, { base, range: log.range, least });
  if (!found.ok) throw new Error(found.error.detail);
  return found.value;
}

const write = (path: string, people: Step['people'] = 'approved', agent = 'writer'): Step => ({ agent, name: 'files.write', parameters: { path, content: 'x' }, people });

describe('a suggestion', () => {
  it('is the narrowest rule that would have saved the last approvals: this agent, these values', async () => {
    const log = await logOf([write('reports/a.md'), write('reports/b.md'), write('reports/c.md')]);
    const [found, ...more] = await suggested(log);
    expect(more).toEqual([]);
    expect(found).toMatchObject({ tool: 'files', operation: 'write', saved: 3 });
    const rule = policyFrom(found?.text ?? '').rules.find(({ id }) => id === found?.rule);
    expect(rule).toMatchObject({ action: 'ALLOW', priority: 201 });
    expect(found?.text).toContain('agent: "writer"');
    expect(found?.text).toContain('"reports/a.md"');
  });

  it('generalises an argument only where there are too many values to name, and says what that reaches', async () => {
    const log = await logOf(Array.from({ length: 8 }, (_, n) => write(`reports/week-${String(n)}.md`)));
    const [found] = await suggested(log);
    expect(found?.text).toContain('within: "reports"');
    expect(found?.reach).toContainEqual('path: anything within reports');
  });

  it('is none where too few were approved, a person denied one since, or it could not be told what it lets through', async () => {
    expect(await suggested(await logOf([write('reports/a.md'), write('reports/b.md')]))).toEqual([]);
    expect(await suggested(await logOf([write('reports/a.md'), write('reports/b.md'), write('reports/c.md'), write('reports/d.md', 'denied')]))).toEqual([]);
    expect(await suggested(await logOf([write('reports/a.md'), write('reports/b.md'), write('reports/c.md', 'expired')]))).toEqual([]);
    expect(await suggested(await logOf(Array.from({ length: 8 }, (_, n) => write(`f${String(n)}/a.md`))))).toEqual([]);
  });

  it('is none where it would reach what a person denied before', async () => {
    const denied = write('reports/week-2.md', 'denied');
    const approvals = Array.from({ length: 8 }, (_, n) => write(`reports/week-${String(n)}.md`));
    expect(await suggested(await logOf([denied, ...approvals]))).toEqual([]);
    expect(await suggested(await logOf([write('elsewhere/x.md', 'denied'), ...approvals]))).toHaveLength(1);
  });

  it('never lets anything run that a person or a policy denied, whatever was proposed and however people decided', async () => {
    const step: fc.Arbitrary<Step> = fc.record({
      agent: fc.constantFrom('writer', 'other'),
      action: fc.oneof(
        fc.record({ name: fc.constant('files.write'), parameters: fc.record({ path: fc.constantFrom('a/1.md', 'a/2.md', 'a/3.md', 'a/4.md', 'a/5.md', 'a/6.md', 'a/b/7.md', 'secrets/key.pem'), content: fc.constantFrom('x', 'y') }) }),
        fc.record({ name: fc.constant('email.send'), parameters: fc.record({ to: fc.constantFrom('bob@corp.example', 'eve@elsewhere.example'), body: fc.constant('Hello.') }) }),
      ),
      people: fc.constantFrom<Step['people'][]>('approved', 'approved', 'approved', 'approved', 'denied', 'expired'),
    }).map(({ agent, action, people }) => ({ agent, ...action, people }));
    let found = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 6, maxLength: 24 }), async (steps) => {
        const log = await logOf(steps);
        for (const one of await suggested(log)) {
          found += 1;
          const proposed = policyFrom(one.text);
          const replay = await replayLog(log.parts, log.range, { base: policy, proposed });
          expect(replay.ok && replay.value.unattended.denied).toBe(0);
          expect(replay.ok && replay.value.newly_allowed).toBeGreaterThanOrEqual(one.saved);
          // Asked anew, step by step: what was denied is not let through, and what was denied by policy stays denied.
          const again = new ReplayableLog();
          for (const { agent, name, parameters, people } of steps) {
            const { decision } = await again.decide(proposed, agent, name, parameters);
            const { decision: before } = await again.decide(policy, agent, name, parameters);
            if (people === 'denied' || before === 'DENY') expect(decision).toBe(before);
          }
        }
      }),
      { numRuns: 60 },
    );
    expect(found).toBeGreaterThan(5);
  }, 60_000);
});
