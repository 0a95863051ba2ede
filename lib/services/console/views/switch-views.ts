import type { SwitchView } from '@/lib/contracts/console/agents';
import type { InForce } from '@/lib/services/in-force';

/** The switches that are on, newest last, with the names of who threw them. */
export const switchViews = ({ switches, roster }: Pick<InForce, 'switches' | 'roster'>): readonly SwitchView[] =>
  switches.map(({ scope, subject, thrown_by, thrown_at, reason }) => ({
    scope, subject, thrown_at, reason: reason ?? null, thrown_by: roster?.roster.people.find(({ id }) => id === thrown_by)?.name ?? thrown_by,
  }));
