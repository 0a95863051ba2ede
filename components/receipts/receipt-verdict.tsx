'use client';

import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';

import { Button } from '@/components/ui/button';
import { Digest } from '@/components/ui/digest';
import { ErrorState } from '@/components/ui/pane-states';
import { SealVerdict, verdictState, type VerdictCheck } from '@/components/ui/seal-verdict';
import { rememberedRoot, rememberRoot } from '@/lib/client/remembered-root';
import { canEd25519 } from '@/lib/client/verify-signature';
import { receiptChecks, verifyReceipt, type ReceiptCheck, type ReceiptCheckKey } from '@/lib/client/verify-receipt';
import type { ReceiptDetail } from '@/lib/contracts/console/receipts';
import { isDigest } from '@/lib/shared/ids';

const claims: { readonly [K in ReceiptCheckKey]: string } = {
  trust_root: 'Trust root is the one this browser knows',
  signature: 'Signed by a key that the root delegates',
  statement: 'Statement is canonical and names its own subject',
  leaf: 'Log holds exactly this envelope',
  link: 'Links to the receipt before',
  inclusion: 'Included in a signed checkpoint',
};

const limits = [
  { key: 'right', claim: 'That the decision was right.', because: 'It proves who decided, under which rules, on which inputs.' },
  { key: 'inputs', claim: 'That the inputs were true.', because: 'A tool that lied is recorded faithfully, lie included.' },
  { key: 'around', claim: 'That nothing went around.', because: 'Actions the plane never saw leave no receipt.' },
  { key: 'keys', claim: 'That nobody held all keys.', because: 'Whoever does can write another history, until an exported checkpoint or a pin disagrees.' },
  { key: 'pixels', claim: 'That a signer saw these pixels.', because: 'A signature covers the screen that was sent, not what a compromised browser painted.' },
] as const;

/** The checks of one receipt, run here. Without a fingerprint that somebody vouched for there is no seal. */
export function ReceiptVerdict({ detail }: { readonly detail: ReceiptDetail }) {
  const [known, setKnown] = useState(rememberedRoot);
  const { data, error } = useQuery({
    queryKey: ['verdict', detail.row.id, detail.proof, known],
    queryFn: () => runChecks(detail, known),
    staleTime: Infinity,
    networkMode: 'always',
  });
  if (error !== null) return <ErrorState title="This browser cannot check signatures.">{error.message}</ErrorState>;
  const checks = (data?.checks ?? []).map(drawn);
  const shown: readonly VerdictCheck[] = data === undefined ? receiptChecks.map((key) => ({ key, state: 'running', claim: claims[key] })) : checks;
  const unknownRoot = data?.checks.find(({ key, state }) => key === 'trust_root' && state === 'skipped') !== undefined;
  return (
    <>
      <SealVerdict title={titleOf(detail.row.index, data?.checks, shown)} how={data === undefined ? 'Checking in this browser.' : `Run in this browser in ${data.ms.toLocaleString('en')} ms. No server was asked.`} checks={shown} limits={limits} />
      {unknownRoot && detail.fingerprint !== null && isDigest(detail.fingerprint)
        ? <Fingerprint value={detail.fingerprint} onRemember={(value) => { rememberRoot(value); setKnown(value); }} />
        : null}
    </>
  );
}

function Fingerprint({ value, onRemember }: { readonly value: NonNullable<ReturnType<typeof rememberedRoot>>; readonly onRemember: (value: NonNullable<ReturnType<typeof rememberedRoot>>) => void }) {
  return (
    <div className="mt-4 mb-6">
      <p className="meta2">The server says that the trust root’s fingerprint is <Digest value={value} />. Compare it with the one that an owner gave you by another way.</p>
      <p className="mt-2"><Button small onClick={() => onRemember(value)}>It is the same: remember it</Button></p>
    </div>
  );
}

async function runChecks(detail: ReceiptDetail, known: string | null): Promise<{ readonly checks: readonly ReceiptCheck[]; readonly ms: number }> {
  if (!(await canEd25519())) throw new Error('It lacks Ed25519, or this page is not served over https or from localhost. Use countersign verify instead.');
  const started = performance.now();
  const checks = await verifyReceipt({ ...detail, previousLeaf: detail.previous_leaf }, known);
  return { checks, ms: Math.max(1, Math.round(performance.now() - started)) };
}

const drawn = ({ key, state, detail }: ReceiptCheck): VerdictCheck => ({ key, state, claim: claims[key], detail });

function titleOf(index: number, found: readonly ReceiptCheck[] | undefined, shown: readonly VerdictCheck[]): string {
  if (found === undefined) return 'Checking';
  const failed = found.find(({ state }) => state === 'fail');
  if (failed) return `Receipt ${index.toLocaleString('en')} fails: ${claims[failed.key].toLowerCase()}`;
  if (verdictState(shown) === 'pass') return `All ${found.length} checks pass`;
  return found.some(({ key, state }) => key === 'trust_root' && state === 'skipped') ? 'Consistent, issuer not verified' : 'Not everything could be checked yet';
}
