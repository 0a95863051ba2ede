import { createPlaneClient } from '@/lib/pep/sdk/plane-client';

import type { ReplayCredentials } from './parse-credentials';
import type { ReplayStage } from './replay-stage';

const timeoutMs = 120_000;

/** A plane that runs already, with its own policy in force. Agents take turns; sessions are the requester's. Throws when a list is empty. */
export function openGivenStage(url: string, { people, agents, orchestrators, enforcement_points, information_points }: ReplayCredentials): ReplayStage {
  const client = (token: string) => createPlaneClient({ url, token, timeoutMs });
  const first = <T>(list: readonly T[], what: string): T => {
    const [one] = list;
    if (one === undefined) throw new Error(`The credentials name no ${what}.`);
    return one;
  };
  const human = (people.find(({ role }) => role === 'requester') ?? first(people, 'person')).email;
  const orchestrator = client(first(orchestrators, 'orchestrator').token);
  const enforcementPoint = client(first(enforcement_points, 'enforcement point').token);
  const [point] = information_points;
  const informationPoint = point ? client(point.token) : null;
  const dealt = agents.map(({ id, token }) => ({ id, client: client(token) }));
  return {
    castFor: (_, at) => ({ human, agent: dealt[at % dealt.length] ?? first(dealt, 'agent'), orchestrator, enforcementPoint, informationPoint }),
    close: async () => undefined,
  };
}
