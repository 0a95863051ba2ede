import { Button } from '@/components/ui/button';
import { Digest } from '@/components/ui/digest';
import { ErrorState } from '@/components/ui/pane-states';
import { SealVerdict, verdictState, type VerdictCheck } from '@/components/ui/seal-verdict';
import { asNote } from '@/lib/client/as-note';
import type { ReceiptDetail } from '@/lib/contracts/console/receipts';
import { isDigest, type Digest as DigestText } from '@/lib/shared/ids';

import { MerklePath } from './merkle-path';
import type { FoundCheck, Verdict } from './use-verdict';

const claims: { readonly [K in FoundCheck['key']]: string } = {
  trust_root: 'Trust root is the one this browser knows',
  signature: 'Signed by a key that the root delegates',
  statement: 'Statement is canonical and names its own subject',
  row: 'The list shows what was signed',
  leaf: 'Log holds exactly this envelope',
  link: 'Links to the receipt before',
  inclusion: 'Included in a signed checkpoint',
  all_signed: 'Every receipt of the action is signed',
  contents: 'Content is what the receipts name',
  votes: 'Votes cover exactly what was asked',
  pairing: 'Decision, approval, permit and outcome belong together',
  rederived: 'Decision re-derived: the same',
};

const limits = [
  { key: 'right', claim: 'That the decision was right.', because: 'It proves who decided, under which rules, on which inputs.' },
  { key: 'inputs', claim: 'That the inputs were true.', because: 'A tool that lied is recorded faithfully, lie included.' },
  { key: 'around', claim: 'That nothing went around.', because: 'Actions the plane never saw leave no receipt.' },
  { key: 'keys', claim: 'That nobody held all keys.', because: 'Whoever does can write another history, until an exported checkpoint or a pin disagrees.' },
  { key: 'pixels', claim: 'That a signer saw these pixels.', because: 'A signature covers the screen that was sent, not what a compromised browser painted.' },
] as const;

/** The checks of one receipt and of its action, run here. Without a fingerprint that somebody vouched for there is no seal. */
export function ReceiptVerdict({ detail, verdict }: { readonly detail: ReceiptDetail; readonly verdict: Verdict }) {
  const { checks, ms, fault, known, remember } = verdict;
  const shown: readonly VerdictCheck[] = checks.map(({ key, state, detail: found }) => ({ key, state, claim: claims[key], detail: /^[0-9a-f]{8}$/.test(found) ? <code>{found}</code> : asNote(found) }));
  const failed = checks.filter(({ state }) => state === 'fail');
  return (
    <>
      {fault === null ? null : <ErrorState title="Not everything could be checked here.">{fault.message}</ErrorState>}
      <SealVerdict title={titleOf(detail.row.index, checks, shown)} how={ms === null ? 'Checking in this browser.' : `Run in this browser in ${ms.toLocaleString('en')} ms. No server was asked.`} checks={shown} limits={limits}>
        {failed.length === 0 ? null : <p className="meta2 distrust">{failed.map(({ key, detail: found }) => `${claims[key]}: ${found}`).join(' ')} Distrust what this receipt says, and run <code>countersign fsck</code>.</p>}
        <MerklePath proof={detail.proof} holds={checks.find(({ key }) => key === 'inclusion')?.state === 'pass'} />
      </SealVerdict>
      {known === null && detail.fingerprint !== null && isDigest(detail.fingerprint) ? <Fingerprint value={detail.fingerprint} onRemember={remember} /> : null}
    </>
  );
}

function Fingerprint({ value, onRemember }: { readonly value: DigestText; readonly onRemember: (value: DigestText) => void }) {
  return (
    <div className="mt-4 mb-6">
      <p className="meta2">The server says that the trust root’s fingerprint is <Digest value={value} />. Compare it with the one that an owner gave you by another way.</p>
      <p className="mt-2"><Button small onClick={() => onRemember(value)}>It is the same: remember it</Button></p>
    </div>
  );
}

function titleOf(index: number, found: readonly FoundCheck[], shown: readonly VerdictCheck[]): string {
  const failed = found.find(({ state }) => state === 'fail');
  if (failed) return `Receipt ${index.toLocaleString('en')} fails: ${failing[failed.key]}`;
  if (found.some(({ state }) => state === 'running')) return 'Checking';
  if (verdictState(shown) === 'pass') return `All ${found.length} checks pass`;
  if (found.some(({ key, state }) => key === 'trust_root' && state === 'skipped')) return 'Consistent, issuer not verified';
  const skipped = found.filter(({ state }) => state === 'skipped').length;
  return `Not everything could be checked yet: ${found.length - skipped} of ${found.length} checks pass`;
}

/** What a failed check found, in the words of a headline. */
const failing: { readonly [K in FoundCheck['key']]: string } = {
  trust_root: 'the trust root is not the one this browser knows',
  signature: 'no delegated key signed it',
  statement: 'its statement is not as receipts are written',
  row: 'the list shows something else than was signed',
  leaf: 'the log holds another envelope',
  link: 'it does not link to the receipt before',
  inclusion: 'it is not in the signed checkpoint',
  all_signed: 'a receipt of the action is not signed by a delegated key',
  contents: 'content is not what the receipts name',
  votes: 'a vote does not cover what was asked',
  pairing: 'the action does not hold together',
  rederived: 'the engine decides differently',
};
