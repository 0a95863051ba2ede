import { planePolicy } from '../plane-policy';

/** The policy of the told ledger: as the plane's tests have it, and who is asked next when nobody answers. */
export const toldPolicy = planePolicy.replace('action: STEP_UP\n    reason: "A person looks', 'action: STEP_UP\n    escalate: { to: [backup], after: 1s }\n    reason: "A person looks');
