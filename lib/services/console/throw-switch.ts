import type { ThrowSwitchInput } from '@/lib/contracts/console/agents';
import type { PersonId } from '@/lib/shared/ids';
import { fail, ok, type Result } from '@/lib/shared/result';

import type { ConsoleParts } from './console-parts';
import { raiseEpoch } from './raise-epoch';

/** The kill switch: from this commit on nothing of what it covers is decided otherwise than DENY. Releasing needs an owner's signature. */
export async function throwSwitch(parts: ConsoleParts, by: PersonId, input: ThrowSwitchInput): Promise<Result<{ readonly scope: string; readonly subject: string }>> {
  const { scope, subject, reason } = input;
  const { switches } = await parts.inForce.refresh();
  const logged = switches.some((one) => one.scope === scope && one.subject === subject && one.receipt !== undefined);
  const done = await parts.transactor.withHead(async (tx, { now, epoch }): Promise<Result<{ readonly scope: string; readonly subject: string }>> => {
    const on = (await parts.authority.switches(tx)).some((row) => row.scope === scope && row.subject === subject);
    // A row that says so without a receipt could be taken away: then it is thrown now.
    if (on && logged) return fail('conflict', 'This switch is thrown already.');
    if (!on) await parts.authority.throwSwitch(tx, { scope, subject, thrown_by: by, thrown_at: now });
    const receipt = await parts.sign(
      'switch_thrown',
      now,
      { scope, ...(scope === 'all' ? {} : { target: subject }), on: true, reason, by: { kind: 'person', id: by }, epoch: Number(epoch) + 1 },
      { person: by, ...(scope === 'agent' ? { agent: subject } : {}), ...(scope === 'tool' ? { tool: subject } : {}) },
    );
    await parts.ledger.append(tx, [receipt]);
    await raiseEpoch(parts, tx);
    return ok({ scope, subject });
  });
  if (done.ok) await parts.inForce.refresh();
  return done;
}
