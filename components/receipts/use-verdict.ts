'use client';

import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';

import type { JudgedAction, ActionCheckKey } from '@/lib/client/judge-action';
import { receiptEvidenceQuery } from '@/lib/client/receipt-queries';
import { rememberedRoot, rememberRoot } from '@/lib/client/remembered-root';
import { canEd25519 } from '@/lib/client/verify-signature';
import { receiptChecks, verifyReceipt, type ReceiptCheck, type ReceiptCheckKey } from '@/lib/client/verify-receipt';
import type { ReceiptDetail } from '@/lib/contracts/console/receipts';
import type { Digest } from '@/lib/shared/ids';

export type FoundCheck = { readonly key: ReceiptCheckKey | ActionCheckKey; readonly state: ReceiptCheck['state'] | 'running'; readonly detail: string };

export type Verdict = {
  readonly checks: readonly FoundCheck[];
  /** Null while something still runs. */
  readonly ms: number | null;
  /** What was found out about the whole action; undefined until then. */
  readonly judged: JudgedAction | undefined;
  /** Why this browser cannot check, or why what it needs did not come. */
  readonly fault: Error | null;
  /** The fingerprint that somebody vouched for here; null: nobody has. */
  readonly known: string | null;
  readonly remember: (fingerprint: Digest) => void;
};

const running = (key: FoundCheck['key']): FoundCheck => ({ key, state: 'running', detail: '' });

/**
 * The verdict on a receipt and on its action, computed here. Its key is all that was read, so that a receipt that reads otherwise the next time
 * is judged anew: a verdict on bytes that are no longer shown would be worth nothing.
 */
export function useVerdict(detail: ReceiptDetail): Verdict {
  const [known, setKnown] = useState(rememberedRoot);
  const { row, envelope, leaf, previous_leaf, proof } = detail;
  const own = useQuery({
    queryKey: ['verdict', row, envelope, leaf, previous_leaf, proof, known],
    queryFn: async () => await timed(async () => await verifyReceipt({ ...detail, previousLeaf: previous_leaf }, known)),
    staleTime: Infinity,
    networkMode: 'always',
  });
  const evidence = useQuery(receiptEvidenceQuery(row.id));
  const action = useQuery({
    queryKey: ['action-verdict', row, envelope, known, evidence.dataUpdatedAt],
    enabled: evidence.data !== undefined,
    queryFn: async () => {
      if (evidence.data === undefined) throw new Error('There is nothing to judge yet.');
      const read = evidence.data;
      // The engine comes along with it, which nothing else of this page needs.
      const { judgeAction } = await import('@/lib/client/judge-action');
      return await timed(async () => await judgeAction(detail, read, known));
    },
    staleTime: Infinity,
    networkMode: 'always',
  });
  return {
    checks: [...(own.data?.found ?? receiptChecks.map(running)), ...(action.data?.found.checks ?? (evidence.error ?? action.error ? [] : [running('all_signed'), running('contents')]))],
    ms: own.data && action.data ? own.data.ms + action.data.ms : null,
    judged: action.data?.found,
    fault: own.error ?? action.error ?? evidence.error,
    known,
    remember: (fingerprint) => { rememberRoot(fingerprint); setKnown(fingerprint); },
  };
}

async function timed<Found>(find: () => Promise<Found>): Promise<{ readonly found: Found; readonly ms: number }> {
  if (!(await canEd25519())) throw new Error('It lacks Ed25519, or this page is not served over https or from localhost. Use countersign verify instead.');
  const started = performance.now();
  const found = await find();
  return { found, ms: Math.max(1, Math.round(performance.now() - started)) };
}
