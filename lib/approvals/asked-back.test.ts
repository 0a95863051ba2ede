import { describe, expect, test } from 'vitest';

import { person, testId } from '@/lib/testing/authority-documents';
import { heldDeletion } from '@/lib/testing/held-actions';

import { answerField, answerName, isAnswerName, mostQuestions, questionLength, verifyQuestion, type Question } from './asked-back';
import type { Approver } from './vote';

const held = heldDeletion();
const sam: Approver = { id: person('sam'), email: 'sam@halden.example', name: 'Sam', groups: ['security'], keys: [] };
const question: Question = { request: held.approval, person: sam.id, text: 'Which contacts?', at: held.held_at };

describe('a question that is asked back', () => {
  test('needs no key: whoever the request is put before may ask, and whoever the agent acts for too', () => {
    expect(verifyQuestion(question, held, sam, 0)).toEqual({ ok: true, value: question });
    const priya: Approver = { ...sam, id: person('priya'), email: held.identity.human };
    expect(verifyQuestion({ ...question, person: priya.id }, held, priya, mostQuestions - 1).ok).toBe(true);
  });

  test.each<[string, string, Partial<Question>, Approver | undefined, number]>([
    ['about another request', 'invalid_input', { request: testId('approval', 'other') }, sam, 0],
    ['by nobody of the roster', 'not_an_approver', {}, undefined, 0],
    ['by somebody of another group', 'not_an_approver', {}, { ...sam, groups: ['finance'] }, 0],
    ['by somebody who is suspended', 'not_an_approver', {}, { ...sam, suspended: true }, 0],
    ['in the name of somebody else', 'not_an_approver', { person: person('priya') }, sam, 0],
    ['without words', 'reason_required', { text: ' \n' }, sam, 0],
    ['that is too long', 'invalid_input', { text: 'x'.repeat(questionLength + 1) }, sam, 0],
    ['that is no valid text', 'invalid_input', { text: '\ud800' }, sam, 0],
    ['after three others', 'conflict', {}, sam, mostQuestions],
    ['at the instant of the expiry', 'approval_expired', { at: held.expires_at }, sam, 0],
  ])('is refused %s: %s', (_name, code, changes, approver, before) => {
    expect(verifyQuestion({ ...question, ...changes }, held, approver, before)).toMatchObject({ ok: false, error: { code } });
  });

  test('waits for a field of its own, of the requester or the orchestrator, and of no agent or information point', () => {
    const field = answerField(held.action_id, 2, 'desk');
    expect(field).toEqual({ field: 'answer.2', subject: `action:${held.action_id}`, attribute: 'answer.2', suppliers: ['requester', 'orchestrator:desk'] });
    expect(answerField(held.action_id, 1, null).suppliers).toEqual(['requester']);
    expect([answerName(1), answerName(mostQuestions)].every(isAnswerName)).toBe(true);
    expect([answerName(0), answerName(4), 'answer.', 'answer.11', 'answer.1.2', 'owner'].some(isAnswerName)).toBe(false);
  });
});
