import { firstFailure, failedAt } from '@/lib/verify/first-failure';
import { gapsOf } from '@/lib/verify/gaps';
import { ReceiptLines } from '@/lib/verify/receipt-lines';
import type { CannotRederive, PairingVerdict, Report } from '@/lib/verify/report';
import type { Examined } from '@/lib/verify/verify-bundle';
import { whatToDistrust } from '@/lib/verify/what-to-distrust';

import type { About, Checked, Failure } from './verify-messages';

/** A selection may have a gap between any two receipts; the page names the first of them and counts the rest. */
const mostGaps = 50;

type File = { readonly bytes: number; readonly sha256: string; readonly ms: number; readonly fingerprint: string | null };

/** What the page needs of a report, at a size that does not grow with the bundle. */
export function summariseCheck(report: Report, examined: Examined | undefined, file: File): Checked {
  const { verdict, checks, root, size, receipts, limits, rederived } = report;
  const gaps = examined ? gapsOf(examined.entries, examined.manifest) : [];
  const differs = rederived.notes.find(({ state }) => state === 'differs');
  return {
    verdict, checks, root, size, receipts, limits,
    ms: file.ms,
    bytes: file.bytes,
    sha256: file.sha256,
    rederived: {
      reproduced: rederived.reproduced,
      differs: rederived.differs,
      cannot: rederived.cannot,
      why: reasonsOf(rederived.notes),
      first: differs ? { index: differs.index, detail: differs.detail } : null,
    },
    pairing: countPairing(report),
    actions: report.pairing.length,
    gaps: gaps.slice(0, mostGaps),
    gapCount: gaps.length,
    about: examined ? aboutOf(examined) : null,
    failure: failureOf(report, examined, file.fingerprint),
  };
}

function reasonsOf(notes: Report['rederived']['notes']): Checked['rederived']['why'] {
  const found = new Map<CannotRederive, { why: CannotRederive; count: number; example: number; detail: string }>();
  for (const { index, state, detail, why = 'unreadable' } of notes) {
    if (state !== 'cannot') continue;
    const known = found.get(why);
    if (known) known.count += 1;
    else found.set(why, { why, count: 1, example: index, detail });
  }
  return [...found.values()].sort((a, b) => b.count - a.count);
}

function countPairing({ pairing }: Report): Checked['pairing'] {
  const found = new Map<PairingVerdict, { verdict: PairingVerdict; broken: boolean; count: number; first: number }>();
  for (const { verdict, broken, index } of pairing) {
    const known = found.get(verdict);
    if (known) known.count += 1;
    else found.set(verdict, { verdict, broken, count: 1, first: index });
  }
  return [...found.values()].sort((a, b) => Number(b.broken) - Number(a.broken) || b.count - a.count);
}

function aboutOf({ bundle, manifest, entries }: Examined): About {
  const times = entries.flatMap(({ body }) => (body ? [body.predicate.at] : []));
  return {
    workspace: manifest.workspace,
    range: manifest.range,
    session: manifest.session ?? null,
    created_at: manifest.created_at,
    product_version: manifest.product_version,
    first_at: times[0] ?? null,
    last_at: times.at(-1) ?? null,
    withheld: bundle.absent.filter(({ why }) => why === 'withheld').length,
    erased: bundle.absent.filter(({ why }) => why === 'erased').length,
  };
}

function failureOf({ checks, root }: Report, examined: Examined | undefined, fingerprint: string | null): Failure | null {
  const check = firstFailure(checks);
  if (!check) return null;
  const at = failedAt(check);
  const entry = examined?.entries.find(({ index }) => index === at);
  const foreign = check.id === 'trust_root' && fingerprint !== null && root !== fingerprint;
  return {
    check,
    at: at ?? null,
    line: entry && examined ? new ReceiptLines(examined.entries, examined.rosters).of(entry) : null,
    expected: foreign ? fingerprint : (check.compared?.expected ?? check.title),
    found: foreign ? (root ?? 'no trust root') : (check.compared?.found ?? check.detail),
    distrust: whatToDistrust[check.id],
  };
}
