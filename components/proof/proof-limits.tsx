import { FactsList } from '@/components/ui/facts-list';
import { Section } from '@/components/ui/section';
import { UntrustedText } from '@/components/ui/untrusted-text';
import type { PolicyProof } from '@/lib/policy/proof';

/** What the proof does not say, and how it was found. It stands there also when nothing is open. */
export function ProofLimits({ proof: { open, tests, lint, comparison, replay } }: { readonly proof: PolicyProof }) {
  const { classes, operations } = comparison.counted;
  return (
    <>
      <Section title="Tests and lint" note={tests.failed === 0 && lint.errors === 0 ? 'nothing red' : 'red'}>
        <FactsList facts={[
          { label: 'Tests', value: tests.passed + tests.failed === 0 ? 'The policy has none' : `${tests.passed.toLocaleString('en')} as expected, ${tests.failed.toLocaleString('en')} not`, ...(tests.failed > 0 ? { tone: 'bad' as const } : {}) },
          { label: 'Lint', value: lint.errors + lint.warnings === 0 ? 'Nothing found' : `${lint.errors.toLocaleString('en')} red, ${lint.warnings.toLocaleString('en')} to look at`, ...(lint.errors > 0 ? { tone: 'bad' as const } : {}) },
        ]} />
      </Section>
      <Section title="What could not be proved" note={open.length === 0 ? 'nothing' : undefined}>
        {open.length === 0 ? null : <ul className="proof-open">{open.map((words) => <li key={words}><UntrustedText text={words} /></li>)}</ul>}
        <p className="meta2">
          How it was found: {comparison.method === 'stopped' ? 'the comparison was stopped.' : <>the engine decided {classes.toLocaleString('en')} classes of actions in {operations.toLocaleString('en')} {operations === 1 ? 'operation' : 'operations'} under both texts (<code>{comparison.method}</code>).</>}
          {replay === undefined ? ' No real decision was taken again.' : ' Replay takes recorded snapshots again: labels, facts and permits are those that sessions had then, and what an agent would have done next is not in it.'}
        </p>
      </Section>
    </>
  );
}
