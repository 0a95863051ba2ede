import { changeClasses, type ChangeClass } from '@/lib/authority/policy-revision';
import { signersThatCount } from '@/lib/authority/signers-that-count';
import { neededPolicySigners } from '@/lib/authority/verify-policy-revision';
import type { ReceiptPredicate } from '@/lib/ledger/receipt-predicate';

import type { FindClass } from './find-class';
import { ofKind, type Entry } from './parse-entries';
import type { PlacedPolicy } from './policy-history';
import type { OnProgress } from './progress';
import { failed, passed, unknown, type Check } from './report';
import { rootAt, type PlacedRoot } from './trust-history';

/**
 * The class that a receipt states of a policy change, found again from the text before and the text after: a false one fails, and so
 * does one whose owners are fewer than the class that was found asks for. `not_proved` claims nothing: all signatures
 * were asked for. What another method proved counts only as far as it is found here too.
 */
export function checkClasses(entries: readonly Entry[], policies: readonly PlacedPolicy[], roots: readonly PlacedRoot[], find: FindClass | undefined, onProgress?: OnProgress): Check {
  const methods = new Map(ofKind(entries, 'policy_proved').map(({ predicate }) => [predicate.proof_digest, predicate.method]));
  const claims = ofKind(entries, 'policy_applied').flatMap(({ index, predicate }) => {
    const stated = changeClasses.find((one) => one === predicate.change && one !== 'not_proved');
    return stated === undefined ? [] : [{ index, stated, method: methodOf(predicate, methods) }];
  });
  let found = 0;
  const open: string[] = [];
  for (const [done, { index, stated, method }] of claims.entries()) {
    const judged = judge(index, policies, find);
    onProgress?.('classes', done + 1, claims.length);
    if (judged.change === null) {
      open.push(judged.why);
      continue;
    }
    const { change, policy } = judged;
    const ours = method === null || method === find?.method;
    const root = rootAt(roots, index);
    if (root && (ours || change !== 'not_proved')) {
      const needed = neededPolicySigners(root, change);
      const counted = signersThatCount(policy.signers ?? [], needed, policy.notCounted ?? []).length;
      if (counted < needed) return failed('classes', `${String(counted)} of ${String(needed)} needed owners signed a change that is ${wordsOf[change]}, and not ${wordsOf[stated]}.`, index, { expected: change, found: stated });
    }
    if (change === stated) found += 1;
    else if (ours) return failed('classes', `The receipt calls the change ${wordsOf[stated]}; from both texts it is ${wordsOf[change]}.`, index, { expected: change, found: stated });
    else open.push(`It was proved by ${method ?? 'a method that is not in the bundle'}, and this is ${find?.method ?? ''}.`);
  }
  if (open.length > 0) return unknown('classes', `${String(found)} found again; ${String(open.length)} cannot be re-derived: ${open[0] ?? ''}`);
  return passed('classes', claims.length === 0 ? 'No change was stated to have a class.' : `${String(found)} found again.`);
}

const wordsOf: Readonly<Record<ChangeClass, string>> = { tighten: 'a tightening', loosen: 'a loosening', mixed: 'a mixed one', moved_authority: 'one of who decides', not_proved: 'not proved' };

/** Null: there was no proof, and nobody but this version's method can vouch for the class. Undefined: the proof is not in the bundle. */
function methodOf({ proof_digest }: ReceiptPredicate<'policy_applied'>, methods: ReadonlyMap<string, string>): string | null | undefined {
  return proof_digest === undefined ? null : methods.get(proof_digest);
}

type Judged = { readonly change: ChangeClass; readonly policy: PlacedPolicy } | { readonly change: null; readonly why: string };

function judge(index: number, policies: readonly PlacedPolicy[], find: FindClass | undefined): Judged {
  const at = policies.findIndex((one) => one.index === index);
  const [base, policy] = [policies[at - 1], policies[at]];
  if (!policy) return { change: null, why: 'The policy is not in the bundle.' };
  if (!base && policy.revision > 1) return { change: null, why: 'The policy before it is not in the bundle.' };
  if (!find) return { change: null, why: 'No engine was given.' };
  const change = find.of(base?.bytes ?? null, policy.bytes);
  return change === null ? { change, why: 'One of the two policies does not compile with this version.' } : { change, policy };
}
