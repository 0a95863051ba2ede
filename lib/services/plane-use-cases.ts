import { ok } from '@/lib/shared/result';

import type { Authenticate } from './authenticate';
import { sessionCloser } from './close-session';
import { sessionOpener } from './open-session';
import { metricsText } from './metrics-text';
import type { PlaneParts } from './plane-parts';
import type { PlaneServices } from './plane-services';
import { changeProposer } from './proposals/propose-change';
import { actionProposer } from './propose-action';
import { proveGrowth } from './prove-growth';
import { actionReader } from './read-action';
import { receiptReader } from './read-receipt';
import { messageRecorder } from './record-message';
import { permitRedeemer } from './redeem-permit';
import { editRefuser } from './refuse-edit';
import { refusedCalls } from './refused-calls';
import { outcomeReporter } from './report-outcome';
import { contextSupplier } from './supply-context';
import { actionWithdrawer } from './withdraw-action';

/** The plane's use cases on their parts, and the way to stop what runs beside them. */
export function planeServices(
  parts: PlaneParts,
  authenticate: Authenticate,
  onFault: (cause: unknown) => void,
): { readonly services: PlaneServices; readonly stop: () => Promise<void> } {
  const actions = actionProposer(parts);
  const reader = actionReader(parts);
  const receipts = receiptReader(parts.reader, parts.sha256);
  const refusals = refusedCalls(parts, onFault);
  const proposals = changeProposer(parts.proposing);
  const services: PlaneServices = {
    authenticate,
    openSession: sessionOpener(parts),
    recordMessage: messageRecorder(parts),
    supplyContext: contextSupplier(parts),
    closeSession: sessionCloser(parts),
    proposeAction: actions.propose,
    proposeBatch: actions.proposeBatch,
    readAction: reader.read,
    waitForAction: reader.wait,
    withdrawAction: actionWithdrawer(parts),
    redeemPermit: permitRedeemer(parts),
    reportOutcome: outcomeReporter(parts),
    refuseEdit: editRefuser(parts, proposals),
    proposals,
    noteRefusal: refusals.note,
    readReceipt: receipts.read,
    latestCheckpoint: receipts.checkpoint,
    proveReceipt: receipts.prove,
    proveGrowth: (from, to) => proveGrowth(parts, from, to),
    health: async () => ok({ status: 'ok' }),
    metrics: async () => {
      const { denied, policy, refusal, switches } = await parts.authority.current();
      return ok(metricsText({ denying: denied !== null || !parts.canSign(), checkpoints: parts.checkpoints(), policy, refused: denied === null && refusal !== null, switches: switches.length }));
    },
    readiness: async () => {
      // Asks the database itself: a plane that cannot reach it is not ready, however much it remembers.
      const { denied, policy, refusal, switches } = await parts.authority.refresh();
      const code = denied ?? (parts.canSign() ? null : 'service_key_not_delegated');
      return ok({
        ...(code === null ? { status: 'ready' as const } : { status: 'denying_all' as const, code }),
        policy: policy && { revision: policy.revision, digest: policy.digest },
        // Why the newest is not what is in force; its words may tell of what it holds, so they stay on the console.
        ...(refusal ? { refused: refusal.code } : {}),
        switches: switches.length,
        checkpoints: parts.checkpoints(),
      });
    },
  };
  return {
    services,
    stop: async () => {
      reader.stop();
      await refusals.stop();
    },
  };
}
