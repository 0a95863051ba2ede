import type { CheckId } from './report';

/** What a reader should no longer believe when a check fails, and what still stands. INVARIANT: there are words for every check. */
export const whatToDistrust = (id: CheckId): string => words[id] ?? 'Distrust what this check is about, and what rests on it.';

const words: { readonly [id: string]: string } = {
  decoding: 'Distrust the file. It is no bundle, not the whole of one, or somebody wrote it again. Get it anew from where it was exported.',
  manifest: 'Distrust the file as an export: parts of it are not what the exporting process signed. Receipts with their own proofs may still be true.',
  trust_root: 'Distrust everything in the file: its keys do not lead to the root that you know. It may be a whole other log.',
  receipts: 'Distrust this receipt and what rests on it. Either it was changed, or its key had no right to sign at this position.',
  chain: 'Distrust the order from this receipt on: something was taken out, put in or moved between it and the one before.',
  tree: 'Distrust the receipts as a whole: together they are not the log whose root the plane signed. One of them was changed, added or left out.',
  checkpoints: 'Distrust this state of the log: no key that the trust root gives to the plane has signed it.',
  consistency: 'Distrust the history: the log was shown with other contents before. Keep the checkpoint that disagrees; it is your evidence.',
  rosters: 'Distrust who may vote from this receipt on: the list of people was not signed as the trust root asks.',
  policies: 'Distrust decisions from this receipt on: they do not rest on a policy that owners signed.',
  sessions: 'Distrust this decision: it was not made on all that its session had done before.',
  votes: 'Distrust this vote and the permit that rests on it: it is not a person’s signature over what was asked.',
  statements: 'Distrust this lowered label or fact, and every decision that rests on it: its person has not signed it.',
  pairing: 'Distrust what became of this action: something ran, or was let through, that the receipts before it do not license.',
  proposals: 'Distrust this change of policy or grants: what was applied or signed is not what was proposed, proved and signed before.',
  grants: 'Distrust what ran on this grant: owners did not give it, or not for this, or not so often.',
  standing: 'Distrust the approval that rests on this standing one: the approver did not sign it for this.',
  seeded: 'Distrust what is said of seeded requests: a real approval may have been called a test afterwards, or the other way round.',
  switches: 'Distrust what ran from this receipt on: it was stopped, or released by nobody who may.',
  guards: 'Distrust this finding: it is about something that the session never held.',
  administration: 'Distrust what this receipt says of a key, a credential, an export or a restore: signed rosters and positions say otherwise.',
  times: 'Distrust the time of this receipt and all that depends on it: expiry, deadlines, who was in time.',
  contents: 'Distrust the contents beside the receipts: one of them is not what its receipt names. The receipts themselves may still be true.',
  completeness: 'Distrust that this is all of the range: receipts are missing.',
  rederivation: 'Distrust this decision: the same engine, on the same inputs and policy, decides otherwise. The verdict may have been forged with a true key.',
};
