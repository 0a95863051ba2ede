import { isJsonArray, isJsonObject, type Json, type JsonObject } from '@/lib/shared/json';

import type { Cast } from '../call';

/** The agents that the cast's names stand for now: a plane keeps whom it stopped stopped, so the next case has others. */
export function agentsOfPlane(cast: Cast, register: (id: string, like: Cast['agents'][number]) => Promise<string>, tokens: Map<string, string>) {
  const stand = new Map(cast.agents.map(({ id }) => [id, id]));
  const standing = (name: string): string => stand.get(name) ?? name;
  return {
    standing,
    all: (): readonly string[] => [...stand.values()],
    named: (id: string): string => cast.agents.find((agent) => standing(agent.id) === id)?.id ?? id,
    renew: async (name: string): Promise<void> => {
      const like = cast.agents.find(({ id }) => id === name);
      if (!like) return;
      const [, number = '1'] = /-(\d+)$/.exec(standing(name)) ?? [];
      const id = `${name}-${String(Number(number) + 1)}`;
      tokens.set(id, await register(id, like));
      stand.set(name, id);
    },
    /** A policy whose rules name agents of the cast, naming those who stand for them. */
    policyFor: (policy: JsonObject): JsonObject => ({ ...policy, rules: isJsonArray(policy.rules) ? policy.rules.map((rule) => withAgents(rule, standing)) : [] }),
  };
}

function withAgents(rule: Json, standing: (name: string) => string): Json {
  const identity = isJsonObject(rule) && isJsonObject(rule.match) ? rule.match.identity : undefined;
  if (!isJsonObject(rule) || !isJsonObject(rule.match) || !isJsonObject(identity) || typeof identity.agent !== 'string') return rule;
  return { ...rule, match: { ...rule.match, identity: { ...identity, agent: standing(identity.agent) } } };
}
