import type { OverviewView } from '@/lib/contracts/console/overview';
import type { Viewer } from '@/lib/contracts/console/viewer';
import { decisionKinds } from '@/lib/mediate/catalogue';
import type { DecisionCounts } from '@/lib/ports/console-reads';

import type { ConsoleParts } from '../console-parts';
import { sightOf } from '../sight';

/** Counts are for everybody; which request ends next only for who may see it. */
export async function overviewView(parts: ConsoleParts, viewer: Viewer): Promise<OverviewView> {
  const { reads } = parts;
  const [waiting, per_minute, denials, counts, head, inForce, now] = await Promise.all([
    reads.waiting(),
    reads.decisionsPerMinute(60),
    reads.denialsByCode(24),
    reads.agentCounts(1),
    parts.log.head(),
    parts.inForce.current(),
    reads.now(),
  ]);
  const next = waiting.next && (await reads.maySeeApproval(sightOf(viewer), waiting.next.approval)) ? waiting.next : null;
  const seen = new Map(counts.map((agent) => [agent.id, agent]));
  return {
    waiting: waiting.approvals,
    next_expiry: next && { approval: next.approval, title: `${next.tool}.${next.operation}`, expires_at: next.expires_at },
    need_second: waiting.need_second,
    oldest_held_at: waiting.oldest_held_at,
    deferred: waiting.deferred,
    last_hour: sum(per_minute.map(({ counts: minute }) => minute)),
    per_minute,
    denials_24h: { total: denials.reduce((total, { count }) => total + count, 0), by_code: denials },
    agents: [...inForce.agents.values()].map(({ id, suspended_at }) => {
      const { decided, held, denied } = seen.get(id) ?? { decided: 0, held: 0, denied: 0 };
      return { id, decided, held, denied, suspended: suspended_at !== null };
    }),
    receipts: Number(head.size),
    now,
  };
}

function sum(counts: readonly DecisionCounts[]): DecisionCounts {
  const total = { ALLOW: 0, MODIFY: 0, STEP_UP: 0, DEFER: 0, DENY: 0 };
  for (const minute of counts) for (const kind of decisionKinds) total[kind] += minute[kind];
  return total;
}
