import type { InForce } from './in-force';

/** Whether a switch that is on covers what this agent does with this tool. */
export const isKilled = ({ switches }: Pick<InForce, 'switches'>, agent: string, tool: string): boolean =>
  switches.some(({ scope, subject }) => scope === 'all' || (scope === 'agent' && subject === agent) || (scope === 'tool' && subject === tool));
