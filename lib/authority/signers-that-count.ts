import type { PersonId } from '@/lib/shared/ids';

/** People whom one change may leave out of the count at most. */
export const mostNotCounted = 20;

/**
 * Who of the signers counts. Where two or more must sign, whoever had a hand in proposing does not: it would be one will fewer than
 * was asked for. Where one is enough, an owner may sign an own proposal, which is then said to be self-signed.
 */
export const signersThatCount = (signers: readonly PersonId[], needed: number, notCounted: readonly string[] = []): readonly PersonId[] =>
  needed < 2 ? signers : signers.filter((person) => !notCounted.includes(person));
