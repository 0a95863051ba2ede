import { z } from 'zod';

import type { DeferralItem, DeferralsView } from '@/lib/contracts/console/deferrals';
import type { Viewer } from '@/lib/contracts/console/viewer';
import type { DeferralQueueRow } from '@/lib/ports/console-reads';

import type { ConsoleParts } from '../console-parts';
import { sightOf } from '../sight';

const most = 500;

/** Actions that wait for something missing, soonest end first, as far as the viewer may see. */
export async function deferralsView({ reads }: Pick<ConsoleParts, 'reads'>, viewer: Viewer): Promise<DeferralsView> {
  const [rows, now] = await Promise.all([reads.deferrals(sightOf(viewer), most), reads.now()]);
  return { items: rows.map(itemOf), now };
}

const missingFields = z.array(z.object({ field: z.string(), subject: z.string().optional(), suppliers: z.array(z.string()) }));

/** The parts of the engine's decision that say why it waits; an action that was deferred without it has none. */
const waitingDecision = z.object({
  unknown: z.array(z.object({ id: z.string() })).default([]),
  deferral: z.object({ conflict: z.array(z.string()).default([]), escalate: z.unknown().optional() }).optional(),
});

function itemOf(row: DeferralQueueRow): DeferralItem {
  const { missing, decision: body, tool, operation, ...rest } = row;
  const decision = waitingDecision.parse(JSON.parse(body));
  return {
    ...rest,
    title: `${tool}.${operation}`,
    missing: missingFields.parse(JSON.parse(missing)).map(({ field, subject, suppliers }) => ({ field, subject: subject ?? null, suppliers })),
    rules: [...new Set([...decision.unknown.map(({ id }) => id), ...(decision.deferral?.conflict ?? [])])],
    at_timeout: decision.deferral?.escalate === undefined ? 'DENY' : 'STEP_UP',
  };
}
