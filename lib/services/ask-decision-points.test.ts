import { describe, expect, test } from 'vitest';

import type { DecisionPoint, PointReply } from '@/lib/ports/decision-point';
import type { ActionId } from '@/lib/shared/ids';
import { act, request, stateAfter } from '@/lib/testing/context-builders';
import { liveSession } from '@/lib/testing/engine-session';

import { askDecisionPoints } from './ask-decision-points';

const now = '2026-03-01T10:00:00.000Z';
const asked = { id: 'act_1' as ActionId, action: act('email.send', { to: 'bob@corp.example', body: 'x' }), session: liveSession(stateAfter(request('Send it.'))), now };
const point = (name: string, ask: DecisionPoint['ask'], deadlineMs = 5000): DecisionPoint => ({ name, deadlineMs, ask });
const says = (answer: PointReply['answer']): DecisionPoint['ask'] => () => Promise.resolve({ answer, cause: 'because.' });

describe('what further decision points answer', () => {
  test('is evidence with name and time, in the order of their names', async () => {
    expect(await askDecisionPoints([point('z', says('permit')), point('a', says('deny')), point('m', says('indeterminate'))], asked)).toEqual([
      { answer: 'deny', at: now, cause: 'because.', point: 'a' }, { answer: 'indeterminate', at: now, cause: 'because.', point: 'm' }, { answer: 'permit', at: now, cause: 'because.', point: 'z' },
    ]);
  });

  test('is about one action in its session', async () => {
    const questions: unknown[] = [];
    await askDecisionPoints([point('p', (question) => {
      questions.push(question);
      return says('permit')(question, AbortSignal.abort());
    })], asked);
    expect(questions).toEqual([expect.objectContaining({ at: now, action: expect.objectContaining({ tool: 'email', operation: 'send', impact: 'medium' }), session: expect.objectContaining({ requests: ['Send it.'], labels: [] }) })]);
  });

  test.each<[string, DecisionPoint['ask']]>([
    ['throws', () => { throw new Error('secret'); }],
    ['rejects', () => Promise.reject(new Error('secret'))],
    ['answers what cannot be read', () => Promise.resolve({ answer: 'allow', cause: '' } as unknown as PointReply)],
    ['says more than it may', () => Promise.resolve({ answer: 'permit', cause: '', decision: 'ALLOW' } as unknown as PointReply)],
    ['gives no end of causes', () => Promise.resolve({ answer: 'permit', cause: 'x'.repeat(501) })],
  ])('of one that %s is a fault, which tells nothing of what went wrong', async (_what, ask) => {
    const [answer] = await askDecisionPoints([point('p', ask)], asked);
    expect(answer).toMatchObject({ answer: 'fault', point: 'p' });
    expect(answer?.cause).not.toContain('secret');
  });

  test('that comes late is a fault, and whoever still works on it is told', async () => {
    let told = false;
    const never: DecisionPoint['ask'] = (_question, late) => new Promise(() => late.addEventListener('abort', () => { told = true; }));
    const [answer] = await askDecisionPoints([point('slow', never, 5)], asked);
    expect([answer, told]).toEqual([{ answer: 'fault', at: now, cause: 'it did not answer within 5 ms.', point: 'slow' }, true]);
  });
});
