import { Section } from '@/components/ui/section';
import { Table, Th } from '@/components/ui/table';
import { Time } from '@/components/ui/time';
import { UntrustedText } from '@/components/ui/untrusted-text';
import type { HeldAttribute } from '@/lib/approvals/held-action';
import { counted } from '@/lib/approvals/view-text';

import { shownValue } from './shown-value';

/** What information and enforcement points had said when it was held. */
export function DecisionFacts({ attributes }: { readonly attributes: readonly HeldAttribute[] }) {
  if (attributes.length === 0) return null;
  return (
    <Section title="Facts it was decided on" note={counted(attributes.length, 'fact')}>
      <div className="scroll-x">
        <Table caption="Facts, their values and who supplied them">
          <thead><tr><Th>Fact</Th><Th>Value</Th><Th>Supplied by</Th></tr></thead>
          <tbody>
            {attributes.map((fact) => (
              <tr key={`${fact.subject} ${fact.name}`}>
                <td><code><UntrustedText text={fact.name} /></code> <span className="t3"><UntrustedText text={fact.subject} /></span></td>
                <td>{fact.unavailable ? <span className="t3">not available</span> : <code><UntrustedText text={shownValue(fact.value)} /></code>}</td>
                <td>{fact.source} <span className="t3"><Time at={fact.observed_at} form="clock" /></span></td>
              </tr>
            ))}
          </tbody>
        </Table>
      </div>
    </Section>
  );
}
