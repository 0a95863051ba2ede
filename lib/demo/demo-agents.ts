import { demoRequester } from './demo-people';

/** Agents that the demo's admin registered, by what they do. */
export const demoAgents = [
  { id: 'harbor-assistant', role: 'assistant' },
  { id: 'harbor-bookkeeper', role: 'bookkeeper' },
  { id: 'harbor-ops', role: 'operator' },
] as const;
export type DemoAgent = (typeof demoAgents)[number]['id'];

/** Who else has a credential, one of each kind, and what the roster lists it for. */
export const demoVouching = [
  { kind: 'orchestrator', subject: 'demo-desk', scope: { humans: [demoRequester], attributes: ['owner', 'criticality'] } },
  { kind: 'enforcement_point', subject: 'demo-gate', scope: { agents: demoAgents.map(({ id }) => id) } },
  { kind: 'information_point', subject: 'demo-records', scope: { attributes: ['owner', 'criticality'] } },
] as const;

/** Prefixes that tell people, and secret scanners, what a token is. */
export const tokenPrefixes = { agent: 'csa', orchestrator: 'cso', enforcement_point: 'csp', information_point: 'csi' } as const;
