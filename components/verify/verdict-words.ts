import type { Checked } from '@/lib/client/verify-messages';
import type { CannotRederive, CheckState, Verdict } from '@/lib/verify/report';

/** How a bundle's verdict is drawn: the seal is for `verified` alone. */
export type VerdictTone = 'pass' | 'open' | 'fail';

const tones: { readonly [V in Verdict]: VerdictTone } = { verified: 'pass', consistent_issuer_not_verified: 'open', failed: 'fail', unreadable: 'fail' };
export const toneOf = (verdict: Verdict): VerdictTone => tones[verdict];

const titles: { readonly [V in Verdict]: string } = {
  verified: 'Verified: everything holds and leads to your fingerprint',
  consistent_issuer_not_verified: 'Consistent, issuer not verified',
  failed: 'It does not hold',
  unreadable: 'This is no bundle that can be read',
};

const means: { readonly [V in Verdict]: string } = {
  verified: 'Every receipt was signed by keys that lead to the root you know, in the order in which the log holds them.',
  consistent_issuer_not_verified: 'Everything holds among itself, but the file alone vouches for its keys: anybody could have made one like it. Give the root’s fingerprint, as an owner told it to you.',
  failed: 'At least one check failed. What to distrust stands below.',
  unreadable: 'Nothing in it was believed. Nothing else was checked.',
};

/** Decisions that nobody checked but the process that signed them are in the headline: whoever stole its key could have written any verdict there. */
const exceptTitle = (count: number): string => `Verified, except ${count === 1 ? 'one decision' : `${count.toLocaleString('en')} decisions`} that could not be decided again`;

export const verdictWords = ({ verdict, checks, rederived }: Pick<Checked, 'verdict' | 'checks'> & { readonly rederived: Pick<Checked['rederived'], 'why'> }): { readonly title: string; readonly means: string } => {
  const open = checks.filter(({ state }) => state === 'unknown').length;
  const unchecked = rederived.why.reduce((sum, { why, count }) => (why === 'not_asked' ? sum : sum + count), 0);
  const questions = verdict === 'verified' && open > 0 ? ` ${open === 1 ? 'One question stays' : `${open} questions stay`} open; ${open === 1 ? 'it is' : 'they are'} named below.` : '';
  return { title: verdict === 'verified' && unchecked > 0 ? exceptTitle(unchecked) : titles[verdict], means: means[verdict] + questions };
};

/**
 * A check as it is drawn. Trust roots that lead to the bundle's own fingerprint were compared with nothing that somebody else said, so
 * that check was not made.
 */
export const drawnState = ({ id, state }: { readonly id: string; readonly state: CheckState }, verdict: Verdict): 'pass' | 'fail' | 'skipped' => {
  if (state === 'fail') return 'fail';
  return state === 'unknown' || (id === 'trust_root' && verdict === 'consistent_issuer_not_verified') ? 'skipped' : 'pass';
};

export const cannotWords: { readonly [W in CannotRederive]: string } = {
  withheld: 'content withheld by the exporter',
  erased: 'content erased',
  missing: 'content or policy not in the file',
  not_asked: 'the engine was not asked: no policy was in force, everything was stopped, or a bound was reached',
  other_version: 'decided by another version of the engine or its tables',
  unreadable: 'what was stored cannot be read by this version',
};

/** `approval_voted` as "Approval voted". */
export const kindWords = (kind: string): string => `${kind.charAt(0).toUpperCase()}${kind.slice(1).replaceAll('_', ' ')}`;

export const counted = (count: number, noun: string): string => `${count.toLocaleString('en')} ${noun}${count === 1 ? '' : 's'}`;

export const sizeWords = (bytes: number): string => (bytes < 1_000_000 ? `${Math.max(1, Math.round(bytes / 1_000)).toLocaleString('en')} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`);
