import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { engineVersion } from '@/lib/engine/engine-version';
import { decisionKinds } from '@/lib/mediate/catalogue';
import { asJson } from '@/lib/shared/as-json';
import type { JsonObject } from '@/lib/shared/json';
import { decideAbout, noon, policyFrom, policyText, snapshotWith } from '@/lib/testing/engine-fixtures';
import { testId } from '@/lib/testing/ledger-builder';

import type { Recorded } from './parse-recorded';
import { replayDecision, type ReplaySubject } from './replay-decision';

const rule = (id: string, action: string, more = '') => `  - { id: ${id}, match: { tool: email, operation: send }, action: ${action}, reason: So it is.${more} }\n`;
const asks = policyFrom(policyText(rule('ask', 'STEP_UP', ', approvers: [approver]')));
const allows = policyFrom(policyText(rule('let', 'ALLOW')));
const denies = policyFrom(policyText(rule('stop', 'DENY')));
const byKind = { STEP_UP: asks, ALLOW: allows, DENY: denies };

const parameters: JsonObject = { to: 'bob@corp.example', body: 'Hello.' };

function subject(changes: Partial<Recorded> = {}, more: Parameters<typeof snapshotWith>[0] = {}, policy = allows): ReplaySubject {
  const decision = decideAbout(policy, 'email.send', parameters, more);
  const recorded: Recorded = {
    receipt: testId('receipt', 1), at: noon, agent: 'helper', tool: 'email', operation: 'send', decision: decision.decision, code: decision.code, engine: engineVersion,
    policy: policy.digest, action: policy.digest, snapshot: policy.digest, approval: null, plain: decision.decision === 'ALLOW' || decision.decision === 'DENY', ...changes,
  };
  return { recorded, action: { tool: 'email', operation: 'send', parameters }, snapshot: asJson(snapshotWith(more)) };
}

describe('a decision that is taken again', () => {
  it.each(decisionKinds.filter((kind) => kind in byKind).flatMap((now) => (['ALLOW', 'STEP_UP', 'DENY'] as const).map((then) => [now, then] as const)))('goes from %s to %s', (now, then) => {
    const base = byKind[now as keyof typeof byKind];
    expect(replayDecision({ base, proposed: byKind[then] }, subject({}, {}, base))).toMatchObject({ state: 'replayed', now, then, otherTerms: false, redone: false });
  });

  it('is taken under the policy in force too, where another revision, another engine or a service had decided it', () => {
    for (const changes of [{ policy: denies.digest }, { engine: '0.0.1' }, { decision: 'DENY', code: 'no_approver' }] as const) {
      expect(replayDecision({ base: asks, proposed: allows }, subject({ ...changes }, {}, asks))).toMatchObject({ now: 'STEP_UP', then: 'ALLOW', redone: true });
    }
  });

  it('counts other people and other values as other terms, and other words as none', () => {
    const others = policyFrom(policyText(rule('ask', 'STEP_UP', ', approvers: [owner]')));
    const words = policyFrom(policyText(rule('ask', 'STEP_UP', ', approvers: [approver]').replace('So it is', 'Otherwise said')));
    expect(replayDecision({ base: asks, proposed: others }, subject({}, {}, asks))).toMatchObject({ now: 'STEP_UP', then: 'STEP_UP', otherTerms: true });
    expect(replayDecision({ base: asks, proposed: words }, subject({}, {}, asks))).toMatchObject({ otherTerms: false });
  });

  it('is refused where the proposal no longer knows the tool, as the plane would', () => {
    const unknown = { ...subject(), action: { tool: 'email', operation: 'shout', parameters } };
    expect(replayDecision({ base: allows, proposed: denies }, unknown)).toMatchObject({ then: 'DENY' });
  });

  it('is not taken from a snapshot that lacks what the proposal reads one by one', () => {
    const counts = policyFrom(policyText(rule('burst', 'DENY', ', classification: context_dependent_deny, context: { count: { tool: email, gt: 3 } }')));
    const more = { prior: { counts: { 'email.send': 9 }, recent: [], total: 9 } };
    expect(replayDecision({ base: allows, proposed: counts }, subject({}, more))).toEqual({ state: 'not', why: 'not_recorded' });
    expect(replayDecision({ base: allows, proposed: counts }, subject())).toMatchObject({ state: 'replayed' });
  });

  it('says why where the snapshot cannot be read', () => {
    expect(replayDecision({ base: allows, proposed: denies }, { ...subject({ engine: '0.0.1' }), snapshot: {} })).toEqual({ state: 'not', why: 'other_version' });
    expect(replayDecision({ base: allows, proposed: denies }, { ...subject(), snapshot: {} })).toEqual({ state: 'not', why: 'unreadable' });
  });

  it('never throws, whatever was stored', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (action, snapshot) => {
        expect(['replayed', 'not']).toContain(replayDecision({ base: allows, proposed: denies }, { ...subject(), action: asJson(action as object), snapshot: asJson(snapshot as object) }).state);
      }),
      { numRuns: 200 },
    );
  });
});
