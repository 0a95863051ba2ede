import { ArgumentTable } from '@/components/ui/provenance';
import { Section } from '@/components/ui/section';
import { UntrustedText } from '@/components/ui/untrusted-text';
import type { ArgumentRow } from '@/lib/approvals/argument-rows';
import type { Source } from '@/lib/approvals/held-action';

import { shownValue } from './shown-value';

const words: { readonly [S in Source]: string } = {
  request: 'request', person: 'person', trusted_output: 'trusted', policy: 'policy', untrusted_output: 'untrusted', nowhere: 'no source',
};
const order: readonly Source[] = ['request', 'person', 'trusted_output', 'policy', 'untrusted_output', 'nowhere'];

/** Each value that would run and where it was first seen; what policy took out is named under the table. */
export function ArgumentSources({ rows }: { readonly rows: readonly ArgumentRow[] }) {
  const running = rows.filter(({ after }) => after !== null);
  const removed = rows.filter(({ after }) => after === null);
  const counts = order.flatMap((source) => {
    const count = running.filter((row) => row.source === source).length;
    return count === 0 ? [] : [`${count} ${words[source]}`];
  });
  return (
    <Section title="Where each value came from" note={counts.join(' · ')}>
      {running.length === 0 ? <p className="meta2">The action has no arguments.</p> : (
        <ArgumentTable
          caption="Arguments, their values and where each was first seen"
          args={running.map((row) => ({
            name: row.path,
            value: row.after === null ? '' : shownValue(row.after.value),
            origin: row.source,
            detail: row.source === 'nowhere' ? 'the agent made it up' : row.where === null || row.where === row.source ? undefined : <UntrustedText text={row.where} />,
          }))}
        />
      )}
      {removed.map((row) => <p className="meta2" key={row.path}>Policy took out <code><UntrustedText text={row.path} /></code>.</p>)}
    </Section>
  );
}
