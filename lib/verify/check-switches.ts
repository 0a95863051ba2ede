import type { ReceiptBody, ReceiptPredicate } from '@/lib/ledger/receipt-predicate';
import type { ActionId } from '@/lib/shared/ids';

import { firstFault, knowsAllBefore, ownersAt, type EventEvidence } from './event-evidence';
import { failed, passed, type Check } from './report';
import { faultOfRelease } from './switch-release';

type Thrown = ReceiptPredicate<'switch_thrown'>;
type Whose = { readonly agent: string; readonly tool: string };

/** What a switch covers gets no permit and runs nothing until an owner's signature releases exactly that throw. */
export async function checkSwitches(evidence: EventEvidence): Promise<Check> {
  const on = new Map<string, Thrown>();
  const actions = new Map<ActionId, Whose>();
  let thrown = 0;

  const stopped = ({ agent, tool }: Whose): string | undefined => {
    const over = [...on.values()].find(({ scope, target }) => scope === 'all' || (scope === 'agent' ? target === agent : target === tool));
    return over && `Something was let through while the switch over ${over.target ?? 'everything'} was on.`;
  };
  const stoppedAction = (action: ActionId): string | undefined => {
    const whose = actions.get(action);
    // Of an action whose decision is not here only the switch over everything can be judged.
    return stopped(whose ?? { agent: '', tool: '' });
  };
  const turn = async (change: Thrown, index: number): Promise<string | undefined> => {
    if ((change.scope === 'all') !== (change.target === undefined)) return 'A switch over one agent or tool names it, and one over everything names none.';
    const key = JSON.stringify([change.scope, change.target ?? null]);
    if (change.on) {
      thrown += 1;
      on.set(key, change);
      return undefined;
    }
    const before = on.get(key);
    on.delete(key);
    if (before) return faultOfRelease(change, before, ownersAt(evidence, index), evidence.cryptography);
    return knowsAllBefore(evidence, index) ? 'A switch was released that was not on.' : undefined;
  };
  const fault = await firstFault(evidence.entries, (body: ReceiptBody, index) => {
    switch (body.kind) {
      case 'switch_thrown':
        return turn(body.predicate, index);
      case 'action_decided':
        actions.set(body.predicate.action.id, { agent: body.predicate.identity.agent, tool: body.predicate.tool });
        return body.predicate.permit ? stopped({ agent: body.predicate.identity.agent, tool: body.predicate.tool }) : undefined;
      case 'permit_issued':
      case 'permit_redeemed':
        return stoppedAction(body.predicate.action.id);
      default:
        return undefined;
    }
  });
  if (fault) return failed('switches', fault.detail, fault.index);
  return passed('switches', thrown === 1 ? 'One switch was thrown.' : `${thrown} switches were thrown.`);
}
