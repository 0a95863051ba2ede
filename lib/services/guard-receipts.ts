import type { GuardFinding } from '@/lib/context/snapshot';
import type { GuardedOutput } from '@/lib/guards/guard-output';
import { instructionsFrom } from '@/lib/guards/score-injection';
import type { ReceiptPredicate } from '@/lib/ledger/receipt-predicate';
import type { SignedReceipt } from '@/lib/ports/ledger-store';
import type { ActionId, Digest, SessionId } from '@/lib/shared/ids';

import type { PlaneParts } from './plane-parts';

type Told = ReceiptPredicate<'guard_finding'>;
type Finding = Told['findings'][number];

/** What a receipt can hold. */
const most = { findings: 200, path: 2048, detail: 4096 } as const;

type Inspected = {
  readonly session: SessionId;
  readonly agent: string;
  readonly tool: string;
  readonly operation: string;
  readonly about: { readonly id: ActionId; readonly digest: Digest };
  readonly what: 'action' | 'output';
  /** The recorded item that was inspected. */
  readonly digest: Digest;
  readonly at: string;
};

/** The receipt of what guards found, beside the one of what was inspected and in its transaction; none where they found nothing. */
export async function guardReceipts(parts: Pick<PlaneParts, 'sign'>, { session, agent, tool, operation, about, what, digest, at }: Inspected, found: readonly Finding[]): Promise<readonly SignedReceipt[]> {
  if (found.length === 0) return [];
  const findings = found.slice(0, most.findings).map((one) => ({ ...one, path: one.path.slice(0, most.path), detail: one.detail.slice(0, most.detail) }));
  return [await parts.sign('guard_finding', at, { session, what, content_digest: digest, about, findings }, { session, agent, tool, operation })];
}

/** What guards found in an action. Their words may repeat an argument, sensitive ones too: those stay in the snapshot, which can be withheld and erased. */
export const actionFindings = (guards: readonly GuardFinding[]): readonly Finding[] =>
  guards.map(({ guard, verdict, path }) => ({ guard, verdict, path, detail: 'The snapshot of the decision says what.' }));

/**
 * What guards found in an output: one entry for a kind of thing, with how many there are, so that a list of a thousand people is one.
 * Kinds and numbers stay for ever and outlive the erasure of the output; none of its text is in them.
 */
export function outputFindings({ findings, injectionScore }: Pick<GuardedOutput, 'findings' | 'injectionScore'>): readonly Finding[] {
  const counts = new Map<string, { readonly guard: string; readonly kind: string; readonly count: number }>();
  for (const { guard, kind } of findings) {
    if (guard === 'instructions') continue;
    const known = counts.get(`${guard} ${kind}`) ?? { guard, kind, count: 0 };
    counts.set(`${guard} ${kind}`, { ...known, count: known.count + 1 });
  }
  const counted = [...counts].sort(([a], [b]) => (a < b ? -1 : 1)).map(
    ([, { guard, kind, count }]): Finding => ({ guard, verdict: guard === 'secrets' ? 'redact' : 'label', path: '', detail: `${kind}: ${String(count)}.` }),
  );
  // What only a decoder reads has a score and no place.
  const instructions: Finding = { guard: 'instructions', verdict: 'label', path: '', detail: `It gives instructions: ${String(injectionScore)} of 1000.` };
  return injectionScore >= instructionsFrom ? [instructions, ...counted] : counted;
}
