/** The five answers a policy can give, spelled as in policy text and receipts. */
export type DecisionKind = 'ALLOW' | 'DENY' | 'MODIFY' | 'STEP_UP' | 'DEFER';

/** Words on screen are sentence case; the constants appear only inside policy text. */
export const decisionWord: Readonly<Record<DecisionKind, string>> = {
  ALLOW: 'Allow', DENY: 'Deny', MODIFY: 'Modify', STEP_UP: 'Step up', DEFER: 'Defer',
};

/** Value of the `data-d` attribute that selects a decision's hues in decisions.css. */
export const decisionHue: Readonly<Record<DecisionKind, string>> = {
  ALLOW: 'allow', DENY: 'deny', MODIFY: 'modify', STEP_UP: 'step', DEFER: 'defer',
};
