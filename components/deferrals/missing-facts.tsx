'use client';

import { useState } from 'react';

import { Button } from '@/components/ui/button';
import { Icon } from '@/components/ui/icon';
import { Section } from '@/components/ui/section';
import { Time } from '@/components/ui/time';
import { UntrustedText } from '@/components/ui/untrusted-text';
import { isAnswerable, SupplyDialog, type AnswerableFact } from '@/components/signing/supply-dialog';
import { useShortcuts } from '@/lib/client/use-shortcuts';
import type { DeferralItem, MissingFact, ShownAttempt } from '@/lib/contracts/console/deferrals';
import type { PersonId } from '@/lib/shared/ids';

import { supplierWords } from './supplier-words';

const keyOf = ({ field, subject }: MissingFact): string => `${field} ${subject ?? ''}`;

/** What is missing, for each fact who can supply it and who was asked already, and the way to supply it oneself. */
export function MissingFacts({ item, person }: { readonly item: DeferralItem; readonly person: PersonId }) {
  const [open, setOpen] = useState<AnswerableFact | null>(null);
  const [supplied, setSupplied] = useState<ReadonlySet<string>>(new Set());
  const { missing } = item;
  const mine = missing.filter(isAnswerable).filter((fact) => !supplied.has(keyOf(fact)));
  useShortcuts({ s: () => setOpen(mine[0] ?? null) });
  return (
    <Section title="Facts this decision needs" note={`${missing.length} missing${mine.length === 0 ? '' : `, you can supply ${mine.length === missing.length && mine.length > 1 ? 'all' : mine.length}`}`}>
      <table className="missing">
        <caption className="vh">Missing facts, who can supply each, who was asked, and the way to supply it</caption>
        <thead><tr><th scope="col">Fact</th><th scope="col">Who can supply it</th><th scope="col">State</th><th scope="col"><span className="vh">Action</span></th></tr></thead>
        <tbody>
          {missing.map((fact) => (
            <tr key={keyOf(fact)}>
              <th scope="row">
                <UntrustedText text={fact.attribute ?? fact.field} />
                {fact.subject === null ? null : <span className="meta">of <UntrustedText text={fact.subject} /></span>}
              </th>
              <td>{fact.suppliers.length === 0 ? 'Nobody is listed' : fact.suppliers.map((source) => <Supplier key={source} source={source} you={source === fact.answer_as} />)}</td>
              <td>{supplied.has(keyOf(fact)) ? <span className="state"><Icon name="check" small />You supplied it</span> : <FactState attempts={fact.attempts} />}</td>
              <td>
                {isAnswerable(fact) && !supplied.has(keyOf(fact)) ? (
                  <Button small onClick={() => setOpen(fact)} icon={<Icon name="key" small />} aria-label={`Supply ${fact.attribute} of ${fact.subject}`} hint={fact === mine[0] ? 'S' : undefined}>Supply</Button>
                ) : null}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <p className="vh" role="status">{supplied.size === 0 ? '' : 'Your fact is recorded. Policy decides again.'}</p>
      {open === null ? null : (
        <SupplyDialog
          item={item} fact={open} person={person} onClose={() => setOpen(null)}
          onSupplied={() => { setSupplied(new Set([...supplied, keyOf(open)])); setOpen(null); }}
        />
      )}
    </Section>
  );
}

function Supplier({ source, you }: { readonly source: string; readonly you: boolean }) {
  const { who, how } = supplierWords(source);
  return <span className="supplier">{you ? <><b>You</b>, </> : null}<UntrustedText text={who} /> <span className="t3">{how}</span></span>;
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
