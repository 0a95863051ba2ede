import type { CheckId } from './report';

/** What a reader should no longer believe when a check fails, and what still stands. */
export const whatToDistrust: { readonly [Id in CheckId]: string } = {
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
  pairing: 'Distrust what became of this action: something ran, or was let through, that the receipts before it do not license.',
  contents: 'Distrust the contents beside the receipts: one of them is not what its receipt names. The receipts themselves may still be true.',
  completeness: 'Distrust that this is all of the range: receipts are missing.',
  rederivation: 'Distrust this decision: the same engine, on the same inputs and policy, decides otherwise. The verdict may have been forged with a true key.',
};
