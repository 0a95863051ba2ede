import type { Identity } from '@/lib/context/snapshot';
import { takeSnapshot } from '@/lib/context/take-snapshot';
import { decide } from '@/lib/engine/decide';
import type { Decision } from '@/lib/engine/decision';
import { inspectAction } from '@/lib/guards/inspect-action';
import type { CanonicalAction } from '@/lib/mediate/action';
import type { ActionId } from '@/lib/shared/ids';

import { identityOf } from './identity-of';
import { instant, stateOf, type Action, type Session, type World } from './world';

type About = { readonly id: ActionId; readonly asked: CanonicalAction; readonly behind: readonly Action[] };

/** The decision with policy, context and identity of now. `again`: the action's own permit is in the context already. */
export function decideInWorld(world: World, session: Session, { id, asked, behind }: About, again = false): { readonly decision: Decision; readonly identity: Identity } {
  const { policy } = world;
  const identity = identityOf(world, session);
  const snapshot = takeSnapshot(session.state, asked, {
    now: instant(world.now),
    session: { state: stateOf(world, session), opened_at: instant(session.openedAt), head: session.state.head },
    subjects: [`action:${id}`],
    identity,
    identityVerified: identity.role !== 'unregistered' && !world.suspended.has(session.agent),
    killed: world.killed,
    grants: [],
    guards: [...inspectAction(asked), ...session.findings],
    // Nobody can say what becomes of an action while those before it have not ended.
    points: behind.length === 0 ? session.answers : [...session.answers, { point: 'earlier_actions', answer: 'indeterminate', cause: 'it waits for others.' }],
    information: policy?.information ?? new Map(),
    internalDomains: policy?.internalDomains ?? null,
    ...(again ? { excludeAction: id } : {}),
  });
  return { decision: decide(asked, snapshot, policy, instant(world.now)), identity };
}
