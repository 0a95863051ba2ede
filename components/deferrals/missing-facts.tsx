import { Icon } from '@/components/ui/icon';
import { Section } from '@/components/ui/section';
import { Time } from '@/components/ui/time';
import { UntrustedText } from '@/components/ui/untrusted-text';
import type { MissingFact, ShownAttempt } from '@/lib/contracts/console/deferrals';

import { supplierWords } from './supplier-words';

/** What is missing, and for each fact who can supply it and who was asked already. */
export function MissingFacts({ missing }: { readonly missing: readonly MissingFact[] }) {
  return (
    <Section title="Facts this decision needs" note={`${missing.length} missing`}>
      <table className="missing">
        <caption className="vh">Missing facts, who can supply each, and who was asked</caption>
        <thead><tr><th scope="col">Fact</th><th scope="col">Who can supply it</th><th scope="col">State</th></tr></thead>
        <tbody>
          {missing.map((fact) => (
            <tr key={`${fact.field} ${fact.subject ?? ''}`}>
              <th scope="row">
                <UntrustedText text={fact.attribute ?? fact.field} />
                {fact.subject === null ? null : <span className="meta">of <UntrustedText text={fact.subject} /></span>}
              </th>
              <td>{fact.suppliers.length === 0 ? 'Nobody is listed' : fact.suppliers.map((source) => <Supplier key={source} source={source} />)}</td>
              <td><FactState attempts={fact.attempts} /></td>
            </tr>
          ))}
        </tbody>
      </table>
    </Section>
  );
}

function Supplier({ source }: { readonly source: string }) {
  const { who, how } = supplierWords(source);
  return <span className="supplier"><UntrustedText text={who} /> <span className="t3">{how}</span></span>;
}

/** What came of the last question; nobody was asked by the plane when there is none. */
function FactState({ attempts }: { readonly attempts: readonly ShownAttempt[] }) {
  const last = attempts.at(-1);
  if (!last) return <span className="state"><i className="gap" aria-hidden />Not asked</span>;
  const made = `asked ${attempts.length === 1 ? 'once' : `${attempts.length} times`}`;
  return (
    <>
      <span className="state">
        {last.outcome === 'supplied' ? <Icon name="check" small /> : <i className="gap" aria-hidden />}
        {words[last.outcome]}
      </span>
      <span className="meta">{made}, last <UntrustedText text={supplierWords(last.source).who} /> at <Time at={last.asked_at} form="clock" /></span>
      {last.detail === null ? null : <span className="meta"><UntrustedText text={last.detail} /></span>}
    </>
  );
}

const words: { readonly [O in ShownAttempt['outcome']]: string } = { asking: 'Being asked', supplied: 'Answered', unavailable: 'There is none', failed: 'No answer' };
