import fc from 'fast-check';
import { expect, test } from 'vitest';

import type { SessionId } from '@/lib/shared/ids';
import { at, evidence, id, mail, permit, request, session, stateAfter, act } from '@/lib/testing/context-builders';

import { familyOf, Relatives, type FamilyPermit } from './relatives';
import { childState, type SessionState } from './session-state';
import { takeSnapshot } from './take-snapshot';

const named = (n: number): SessionId => `ses_${String(n).padStart(20, '0')}` as SessionId;
const sent = (n: number, by: SessionId, time = at): FamilyPermit => ({ n, session: by, prior: { action: id(n), tool: 'email', operation: 'send', effect: 'communicate', at: time, labels: [] } });
const under = (parent: SessionState, own: SessionId, family_n: number): SessionState => {
  if (!parent.head) throw new Error('A parent has its request.');
  return childState(parent, own, { parent: parent.id, parent_head: parent.head, parent_seq: parent.seq, began_at: at, delegation: [{ session: parent.id, agent: 'a', family_n }, ...(parent.lineage?.delegation ?? [])] });
};

test('a session without parent and children has no family', () => {
  expect(familyOf(stateAfter(request('x')))).toBeNull();
  expect(familyOf(under(stateAfter(request('x')), named(1), 0))).toBe(session);
  expect(familyOf(stateAfter(request('x'), { kind: 'delegation', at, child: named(1), event: 'opened' }))).toBe(session);
});

test('each permit of a family counts once for each of its sessions', () => {
  // Who did what, in order; a child is opened under an earlier session.
  const step = fc.oneof(fc.record({ does: fc.constant('permit' as const), who: fc.nat(5) }), fc.record({ does: fc.constant('open' as const), who: fc.nat(5) }));
  fc.assert(
    fc.property(fc.array(step, { maxLength: 25 }), (steps) => {
      const members: { readonly own: SessionId; readonly above: readonly { readonly session: SessionId; readonly agent: string; readonly family_n: number }[]; chain: number; last: number }[] = [
        { own: session, above: [], chain: 0, last: 0 },
      ];
      const permits: FamilyPermit[] = [];
      for (const { does, who } of steps) {
        const member = members[who % members.length];
        if (!member) throw new Error('A family has a first member.');
        if (does === 'permit') {
          permits.push(sent(permits.length + 1, member.own));
          member.last = permits.length;
          member.chain++;
        } else members.push({ own: named(members.length), above: [{ session: member.own, agent: 'a', family_n: member.last }, ...member.above], chain: member.chain, last: 0 });
      }
      for (const member of members) {
        const lineage = member.above.length === 0 ? null : { parent: named(0), parent_head: null as never, parent_seq: 0, began_at: at, delegation: member.above };
        const relatives = new Relatives({ ...stateAfter(), id: member.own, lineage });
        relatives.take(permits);
        relatives.take(permits);
        expect(member.chain + relatives.total).toBe(permits.length);
        expect(relatives.counts.get('email.send') ?? 0).toBe(relatives.total);
        expect(relatives.n).toBe(permits.length);
      }
    }),
  );
});

test('a snapshot shows own and others\' steps in the order of time', () => {
  const state = stateAfter(request('x'), permit(1, 'email.read', { id: 'm1' }, { at: '2026-03-01T10:00:02.000Z' }), permit(2, 'files.read', { path: '/x' }, { at: '2026-03-01T10:00:04.000Z' }));
  const relatives = new Relatives(state);
  relatives.take([sent(1, named(1), '2026-03-01T10:00:01.000Z'), sent(2, named(2), '2026-03-01T10:00:03.000Z')]);
  const { prior } = takeSnapshot(state, act('email.send', mail('x@corp.example')), evidence({ relatives }));
  expect(prior.recent.map((one) => one.operation)).toEqual(['send', 'read', 'send', 'read']);
  expect(prior).toMatchObject({ total: 4, counts: { 'email.read': 1, 'email.send': 2, 'files.read': 1 } });
  const again = takeSnapshot(state, act('email.send', mail('x@corp.example')), evidence({ relatives, excludeAction: id(2) }));
  expect(again.prior).toMatchObject({ total: 3, counts: { 'email.read': 1, 'email.send': 2 } });
});

test('what is kept of relatives is bounded', () => {
  const relatives = new Relatives(stateAfter(request('x')));
  relatives.take(Array.from({ length: 10_000 }, (_, i) => sent(i + 1, named(1))));
  expect(relatives.total).toBe(10_000);
  expect(relatives.recent.length).toBeLessThanOrEqual(201);
});
