import { Fragment } from 'react';

import { FactsList, type Fact } from '@/components/ui/facts-list';
import { Risk } from '@/components/ui/risk';
import { Section } from '@/components/ui/section';
import { UntrustedText } from '@/components/ui/untrusted-text';
import type { HeldAction } from '@/lib/approvals/held-action';
import { measured, measuredCount, measuredReversible } from '@/lib/approvals/measured';
import { counted } from '@/lib/approvals/view-text';

import { shownValue } from './shown-value';

/** What it would do, as the catalogue says and as it was measured. What nobody measured is said to be unknown. */
export function HeldImpact({ held }: { readonly held: HeldAction }) {
  return <Section title="Impact" note={<Risk level={held.impact} />}><FactsList facts={factsOf(held)} /><Recipients recipients={held.recipients} /></Section>;
}

function factsOf(held: HeldAction): readonly Fact[] {
  const count = measuredCount(held);
  const reversible = measuredReversible(held);
  const cost = measured(held, 'effect.cost');
  const snapshot = measured(held, 'effect.snapshot');
  return [
    { label: 'Effect', value: held.effect },
    { label: 'Reach', value: count === undefined ? 'not measured' : counted(count, 'item') },
    reversible === undefined
      ? { label: 'Reversible', value: 'not measured' }
      : { label: 'Reversible', value: reversible ? 'yes' : <b>No</b>, ...(reversible ? {} : { tone: 'bad' as const }) },
    ...(cost ? [{ label: 'Cost', value: shownValue(cost.value) }] : []),
    ...(snapshot ? [{ label: 'Snapshot', value: shownValue(snapshot.value) }] : []),
  ];
}

const standings: { readonly [S in HeldAction['recipients'][number]['standing']]: string } = {
  internal: 'internal', known: 'known', external: 'outside', look_alike: 'look-alike', unknown: 'unknown',
};
const toneOf: { readonly [S in HeldAction['recipients'][number]['standing']]: string | undefined } = {
  internal: undefined, known: undefined, external: 'warn', look_alike: 'bad', unknown: 'warn',
};

function Recipients({ recipients }: Pick<HeldAction, 'recipients'>) {
  if (recipients.length === 0) return null;
  return (
    <dl className="facts">
      {recipients.map(({ address, standing, resembles }) => (
        <Fragment key={address}>
          <dt><code><UntrustedText text={address} /></code></dt>
          <dd className={toneOf[standing]}>{standings[standing]}{resembles === undefined ? null : <> of <code><UntrustedText text={resembles} /></code></>}</dd>
        </Fragment>
      ))}
    </dl>
  );
}
