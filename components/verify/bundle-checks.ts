import type { VerdictCheck } from '@/components/ui/seal-verdict';
import type { Check, Report } from '@/lib/verify/report';

const states: { readonly [S in Check['state']]: VerdictCheck['state'] } = { pass: 'pass', fail: 'fail', unknown: 'skipped' };

/**
 * Each check with the state it is drawn in. Trust roots that lead to the bundle's own fingerprint were compared with
 * nothing that somebody else said, so that check was not made, and no seal may follow from it.
 */
export const bundleChecks = ({ checks, verdict }: Pick<Report, 'checks' | 'verdict'>): readonly (Check & { readonly drawn: VerdictCheck['state'] })[] =>
  checks.map((check) => ({ ...check, drawn: check.id === 'trust_root' && check.state === 'pass' && verdict === 'consistent_issuer_not_verified' ? 'skipped' : states[check.state] }));
