import type { DeferralItem } from '@/lib/contracts/console/deferrals';

/** What a deferred action waits for, in a few words for one line. Names in it are not ours: drawn as untrusted text. */
export function waitsForWords({ approval, missing, waits_for, question }: Pick<DeferralItem, 'approval' | 'missing' | 'waits_for' | 'question'>): string {
  if (approval !== null) return 'Rules disagree';
  if (question !== null) return `An answer to ${question.by_name}: ${question.text}`;
  if (missing.length > 0) return missing.map(({ attribute, field, subject }) => `${attribute ?? field}${subject === null ? '' : ` of ${subject}`}`).join(', ');
  return waits_for.length === 0 ? 'About to be decided again' : `behind ${waits_for.map(({ title }) => title).join(', ')}`;
}
