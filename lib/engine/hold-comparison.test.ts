import { describe, expect, test } from 'vitest';

import type { AttributeFact, Snapshot } from '@/lib/context/snapshot';
import { at, decideAbout, policyFrom, policyText } from '@/lib/testing/engine-fixtures';
import type { JsonObject } from '@/lib/shared/json';

import type { Decision } from './decision';

const header = `information: { owner: { from: ["ip:records"] }, credit: { from: ["ip:records"] } }
tools:
  - name: lab.act
    effect: write
    impact: low
    parameters:
      table: { type: string, role: target }
      count: { type: any, optional: true }
      limit: { type: any, optional: true }
      to: { type: array, items: string, scalar_or_array: true, optional: true, role: recipients }`;

const said = (name: string, value: AttributeFact['value'], unavailable = false): AttributeFact => ({ subject: 'lab:t', name, value, unavailable, source: 'ip:records', observed_at: at(1) });

function about(when: string, action: string, parameters: JsonObject, more: Partial<Snapshot> = {}): Decision {
  const open = action === 'ALLOW' ? '' : '  - { id: open, match: { tool: lab }, action: ALLOW }\n';
  return decideAbout(policyFrom(policyText(`  - { id: r, match: { tool: lab }, when: '${when}', action: ${action} }\n${open}`, header)), 'lab.act', { table: 't', ...parameters }, more);
}

/** Whether a rule that allows does so over DENY, and one that denies over ALLOW. */
const both = (when: string, parameters: JsonObject, more: Partial<Snapshot> = {}): readonly boolean[] => [about(when, 'ALLOW', parameters, more).decision !== 'DENY', about(when, 'DENY', parameters, more).decision === 'DENY'];

describe('two fields of one action', () => {
  test.each<[string, JsonObject, readonly boolean[]]>([
    ['parameters.count > parameters.limit', { count: 10, limit: 2 }, [true, true]],
    // By number, never by letters.
    ['parameters.count > parameters.limit', { count: '10', limit: '2' }, [true, true]],
    ['parameters.count > parameters.limit', { count: '2', limit: 10 }, [false, false]],
    ['parameters.count >= parameters.limit', { count: 2, limit: '2' }, [true, true]],
    ['parameters.count < parameters.limit', { count: 2, limit: 2 }, [false, false]],
    ['parameters.count == parameters.limit', { count: '2', limit: 2 }, [true, true]],
    ['parameters.count == parameters.limit', { count: 'a', limit: 'A' }, [false, false]],
    ['parameters.count != parameters.limit', { count: 'a', limit: 'b' }, [true, true]],
    ['parameters.count != parameters.limit', { count: 2, limit: '2' }, [false, false]],
    ['parameters.count > parameters.limit', { count: 10 }, [false, false]],
    ['parameters.count == parameters.limit', {}, [false, false]],
    ['!(parameters.count > parameters.limit)', { count: 1, limit: 2 }, [true, true]],
    // A rule that allows needs both to be there, one that denies is not escaped by leaving one out.
    ['!(parameters.count > parameters.limit)', { count: 1 }, [false, true]],
    ['parameters.count > parameters.limit', { count: [1, 10], limit: 5 }, [false, true]],
    ['parameters.to == identity.human', { to: 'Ada@Corp.Example' }, [true, true]],
    ['parameters.to == identity.human', { to: ['ada@corp.example', 'eve@mail.example'] }, [false, true]],
    ['parameters.table == operation', {}, [false, false]],
  ])('%s with %j', (when, parameters, wanted) => {
    expect(both(when, parameters)).toEqual(wanted);
  });

  test('of which one is no number are not placed: a person decides, or nobody', () => {
    expect(about('parameters.count > parameters.limit', 'DENY', { count: 'many', limit: 2 }).decision).toBe('DENY');
    expect(about('parameters.count < parameters.limit', 'ALLOW', { count: 'few', limit: 2 }).decision).toBe('DENY');
  });
});

describe('a field of the action and what is known of its target', () => {
  const within = 'context.attributes.credit >= parameters.count';

  test('is decided when it is known, waits when it is not, and counts against the action when nobody can say', () => {
    expect(both(within, { count: 5 }, { attributes: [said('credit', 10)] })).toEqual([true, true]);
    expect(both(within, { count: 50 }, { attributes: [said('credit', 10)] })).toEqual([false, false]);
    expect(about(within, 'ALLOW', { count: 5 }).deferral?.missing).toEqual([{ field: 'attributes.credit', subject: 'lab:t', attribute: 'credit', suppliers: ['ip:records'] }]);
    expect(both(within, { count: 5 }, { attributes: [said('credit', null, true)] })).toEqual([false, true]);
  });

  test('is context: the rule is classified and explained as such', () => {
    const decision = about('context.owner == identity.human', 'DENY', {}, { attributes: [said('owner', 'ada@corp.example')] });
    expect([decision.code, decision.classification]).toEqual(['denied_by_context', 'context_dependent_deny']);
    expect(decision.determining[0]?.read).toEqual([{ field: 'target_ownership', value: ['ada@corp.example'] }, { field: 'identity.human', value: 'ada@corp.example' }]);
  });
});
