import type { ConsoleParts } from '@/lib/services/console/console-parts';
import type { SigningKey } from '@/lib/server/ed25519';
import type { Provision, Provisioned } from '@/lib/services/provision-workspace';

import type { Cast } from '../call';

/** A running plane, with the console's use cases on the same database for what people and owners do. */
export type PlaneStage = {
  readonly url: string;
  readonly provisioned: Provisioned;
  readonly parts: ConsoleParts;
  /** The first person, whose key signs policies. */
  readonly owner: SigningKey;
  /** The list of places that the plane's second decision point denies; null: it has none. */
  readonly blocklist: string | null;
  readonly close: () => Promise<void>;
};

export const ownerEmail = 'owner@harbor.example';

/** The suite's cast as a workspace has it, with a first policy that allows nothing. */
export const provisionOf = ({ people, agents, orchestrator, enforcement_point, information_points }: Cast, policy: string): Pick<Provision, 'people' | 'agents' | 'vouching' | 'policy'> => ({
  people: [
    { name: 'Owner', email: ownerEmail, roles: ['owner'], groups: [], passwordHash: null },
    ...people.map(({ email, groups }) => ({ name: email, email, roles: ['requester', 'approver'] as const, groups, passwordHash: null })),
  ],
  agents: agents.map(({ id, role, scope, registered_by }) => ({ id, role, scope, registeredBy: registered_by })),
  vouching: [
    { kind: 'orchestrator', subject: orchestrator, scope: { humans: ['*'] } },
    { kind: 'enforcement_point', subject: enforcement_point, scope: { agents: ['*'] } },
    ...information_points.map(({ id, attributes }) => ({ kind: 'information_point' as const, subject: id, scope: { attributes } })),
  ],
  policy: { text: policy, format: 'json' },
});
