import { plainText } from '@/lib/cli/plain-text';
import { parseBundle } from '@/lib/ledger/bundle';
import { nodeSha256 } from '@/lib/server/node-sha256';
import type { Digest } from '@/lib/shared/ids';
import { failedAt, firstFailure } from '@/lib/verify/first-failure';
import { readEntries } from '@/lib/verify/parse-entries';
import type { Check, CheckState, Report, Verdict } from '@/lib/verify/report';
import { whatToDistrust } from '@/lib/verify/what-to-distrust';

const marks: Readonly<Record<CheckState, string>> = { pass: 'ok      ', fail: 'FAILED  ', unknown: 'unknown ' };

const conclusions: Readonly<Record<Verdict, string>> = {
  verified: 'VERIFIED: everything holds, and leads to the fingerprint that you gave.',
  failed: 'FAILED: this is not a true record of the log.',
  unreadable: 'UNREADABLE: this is no bundle, or not the whole of one.',
  consistent_issuer_not_verified:
    'CONSISTENT, ISSUER NOT VERIFIED: everything holds among itself, but the bundle alone vouches for its keys. Get the fingerprint of the trust root from somewhere else and give it with --root.',
};

/** Decisions that only their signer vouches for: whoever stole its key could have written any verdict there. */
function conclusionOf({ verdict, rederived }: Report): string {
  const unchecked = rederived.notes.filter(({ state, why }) => state === 'cannot' && why !== 'not_asked').length;
  if (verdict !== 'verified' || unchecked === 0) return conclusions[verdict];
  return `VERIFIED, EXCEPT ${String(unchecked)} DECISION${unchecked === 1 ? '' : 'S'} that could not be decided again: all else holds, and leads to the fingerprint that you gave.`;
}

const mostNotes = 10;

/** The report for a person. Everything in it that came from the bundle is made harmless for a terminal. */
export function reportText(file: string, bytes: Uint8Array, report: Report, root: Digest | undefined): string {
  const lines = [
    `Bundle      ${plainText(file)}: ${String(report.receipts)} receipts${report.size === null ? '' : ` of a log of ${String(report.size)}`}`,
    `Trust root  ${report.root ?? 'none'}${root === undefined ? ' (not compared with anything)' : ''}`,
    '',
    ...report.checks.map(({ state, title, detail }) => `  ${marks[state]}${title}: ${plainText(detail)}`),
    '',
    ...failureLines(bytes, report, root),
    ...rederivedLines(report),
    ...actionLines(report),
    'What this does not prove:',
    ...report.limits.map((limit) => `  - ${limit}`),
    '',
    conclusionOf(report),
  ];
  return `${lines.join('\n')}\n`;
}

function failureLines(bytes: Uint8Array, { checks, root: stated }: Report, root: Digest | undefined): string[] {
  const first = firstFailure(checks);
  if (first === undefined) return [];
  const expected = first.id === 'trust_root' && root !== undefined ? `${first.title} ${root}` : first.title;
  const found = first.id === 'trust_root' && root !== undefined && stated !== root ? `the bundle begins with ${stated ?? 'none'}` : first.detail;
  return [`First bad receipt: ${receiptName(bytes, first)}`, `  expected: ${expected}`, `  found:    ${plainText(found)}`, `  ${whatToDistrust[first.id]}`, ''];
}

function receiptName(bytes: Uint8Array, check: Check): string {
  const firstBad = failedAt(check);
  if (firstBad === undefined) return 'none by itself; the bundle as a whole does not hold';
  const bundle = parseBundle(bytes);
  const body = bundle.ok ? readEntries(bundle.value, nodeSha256).find(({ index }) => index === firstBad)?.body : undefined;
  return `position ${String(firstBad)}${body === undefined ? '' : `, ${body.kind} ${body.predicate.receipt}`}`;
}

function rederivedLines({ rederived: { reproduced, differs, cannot, notes } }: Report): string[] {
  if (reproduced + differs + cannot === 0) return [];
  const more = notes.length - mostNotes;
  return [
    `Decided again: ${String(reproduced)} reproduced, ${String(differs)} differ, ${String(cannot)} cannot be re-derived.`,
    ...notes.slice(0, mostNotes).map(({ index, state, detail }) => `  position ${String(index)}, ${state === 'differs' ? 'differs' : 'cannot be re-derived'}: ${plainText(detail)}`),
    ...(more > 0 ? [`  and ${String(more)} more (see --json)`] : []),
    '',
  ];
}

function actionLines({ pairing }: Report): string[] {
  if (pairing.length === 0) return [];
  const counts = new Map<string, number>();
  for (const { verdict } of pairing) counts.set(verdict, (counts.get(verdict) ?? 0) + 1);
  const words = [...counts].map(([verdict, count]) => `${String(count)} ${verdict.replaceAll('_', ' ')}`);
  return [`Actions: ${words.join(', ')}.`, ''];
}
