import { Digest } from '@/components/ui/digest';
import { FactsList } from '@/components/ui/facts-list';
import { Section } from '@/components/ui/section';
import { SealVerdict } from '@/components/ui/seal-verdict';
import type { Report, Verdict } from '@/lib/verify/report';

import { bundleChecks } from './bundle-checks';

const titles: { readonly [V in Verdict]: string } = {
  verified: 'Verified: everything holds and leads to your fingerprint',
  consistent_issuer_not_verified: 'Consistent, issuer not verified',
  failed: 'It does not hold',
  unreadable: 'This is no bundle that can be read',
};

/** What was found in a bundle. Only a verified one gets the seal. */
export function BundleReport({ report, ms }: { readonly report: Report; readonly ms: number }) {
  const broken = report.pairing.filter((pair) => pair.broken);
  return (
    <Section title="What was found" note={`${report.receipts.toLocaleString('en')} receipts`}>
      <SealVerdict
        title={titles[report.verdict]}
        how={`Run in this browser in ${ms.toLocaleString('en')} ms. No server was asked.`}
        checks={bundleChecks(report).map((check) => ({ key: check.id, state: check.drawn, claim: <>{check.title}<br /><span className="t3">{check.detail}</span></>, ...(check.firstBad === undefined ? {} : { detail: `receipt ${check.firstBad}` }) }))}
        limits={report.limits.map((claim) => ({ key: claim, claim: '', because: claim }))}
      />
      <FactsList
        facts={[
          ...(report.root === null ? [] : [{ label: 'Trust root in the file', value: <Digest value={report.root} /> }]),
          ...(report.size === null ? [] : [{ label: 'Size of the log', value: report.size.toLocaleString('en') }]),
          { label: 'Decisions reproduced', value: report.rederived.reproduced.toLocaleString('en') },
          { label: 'Decisions that differ', value: report.rederived.differs.toLocaleString('en'), ...(report.rederived.differs === 0 ? {} : { tone: 'bad' as const }) },
          { label: 'Decisions that cannot be re-derived', value: report.rederived.cannot.toLocaleString('en') },
          { label: 'Actions that do not pair up', value: broken.length.toLocaleString('en'), ...(broken.length === 0 ? {} : { tone: 'bad' as const }) },
        ]}
      />
      {broken.map((pair) => <p key={pair.action} className="meta2">Receipt {pair.index.toLocaleString('en')}: {pair.detail}</p>)}
    </Section>
  );
}
