import { startTemporaryPlane } from '@/lib/cli/temporary-plane';
import { createPlaneClient, type PlaneClient } from '@/lib/pep/sdk/plane-client';
import type { PolicyFormat } from '@/lib/policy/read-text';

import { suppliedAttributes } from './facts-about';
import type { KnownWorld } from './known-world';
import type { ReplayStage } from './replay-stage';

const mostAgents = 2_000;
/** As many as the largest quorum of a policy, so that what a rule holds is held, and not denied because nobody could ever approve it. */
const approvers = 20;
const owner = 'owner@replay.example';
const customer = 'customer@replay.example';
/** Longer than any honest call: the machine may be busy, and a call that is late here would count as a refusal. */
const timeoutMs = 120_000;

/** A plane of its own in a temporary state directory, with the policy in force, people in all groups that it names, and an agent for each trace. */
export async function openOwnStage(
  { groups, ...policy }: { readonly text: string; readonly format: PolicyFormat; readonly groups: readonly string[] },
  traces: number,
  worlds: ReadonlyMap<string, KnownWorld>,
): Promise<ReplayStage> {
  const agents = Array.from({ length: Math.max(1, Math.min(traces, mostAgents)) }, (_, at) => `replayed-${String(at)}`);
  const plane = await startTemporaryPlane({
    people: [
      { name: 'Owner', email: owner, roles: ['owner'], groups: [], passwordHash: null },
      { name: 'Customer', email: customer, roles: ['requester'], groups: [], passwordHash: null },
      ...Array.from({ length: approvers }, (_, at) => ({
        name: `Approver ${String(at + 1)}`, email: `approver-${String(at + 1)}@replay.example`, roles: ['approver'] as const, groups, passwordHash: null,
      })),
    ],
    policy,
    agents: agents.map((id) => ({ id, role: 'assistant', scope: [], registeredBy: owner })),
    vouching: [
      { kind: 'orchestrator', subject: 'desk', scope: { humans: ['*'] } },
      { kind: 'enforcement_point', subject: 'gate', scope: { agents: ['*'] } },
      { kind: 'information_point', subject: 'directory', scope: { attributes: [...suppliedAttributes] } },
    ],
  });
  const clients = new Map<string, PlaneClient>();
  const client = (subject: string): PlaneClient => {
    const known = clients.get(subject) ?? createPlaneClient({ url: plane.url, token: plane.token(subject), timeoutMs });
    clients.set(subject, known);
    return known;
  };
  return {
    castFor: ({ suite }, at) => {
      const id = agents[at % agents.length] ?? '';
      return {
        human: worlds.get(suite)?.human ?? customer,
        agent: { id, client: client(id) },
        orchestrator: client('desk'),
        enforcementPoint: client('gate'),
        informationPoint: client('directory'),
      };
    },
    close: plane.stop,
  };
}
