import Link from 'next/link';

import { Section } from '@/components/ui/section';
import { Table, Th } from '@/components/ui/table';
import { UntrustedText } from '@/components/ui/untrusted-text';
import type { Difference, HeldAction } from '@/lib/approvals/held-action';
import { counted } from '@/lib/approvals/view-text';

import { shownValue } from './shown-value';

const words: { readonly [K in Difference['what']]: string } = {
  policy: 'Policy', rule: 'Rule', reading: 'What a rule read', label: 'Label of the session', argument: 'Argument', source: 'Where it came from', identity: 'Identity', precondition: 'Precondition', approvers: 'Who decides', impact: 'Impact',
};

/** Why people are asked anew: each thing that is not as it was in the request before. Signatures on that one do not count here. */
export function WhatChanged({ held }: { readonly held: HeldAction }) {
  const { changed } = held;
  if (!changed) return null;
  const { from, differences } = changed;
  return (
    <Section title="What changed" note={<>{counted(differences.length, 'difference')} to <Link className="link" href={`/approvals?item=${from}`}>the request before</Link>. Its signatures don’t count here.</>}>
      <div className="scroll-x">
        <Table caption="What is not as it was in the request before">
          <thead><tr><Th>What</Th><Th>Before</Th><Th>Now</Th></tr></thead>
          <tbody>
            {differences.map((one) => (
              <tr key={`${one.what} ${one.name}`}>
                <td>{words[one.what]} <code className="t3"><UntrustedText text={one.name} /></code></td>
                <td><Shown value={one.before} mark="del" /></td>
                <td><Shown value={one.after} mark="ins" /></td>
              </tr>
            ))}
          </tbody>
        </Table>
      </div>
    </Section>
  );
}

const Shown = ({ value, mark: Mark }: { readonly value: Difference['before']; readonly mark: 'ins' | 'del' }) =>
  value === null ? <span className="t3">–</span> : <Mark><code><UntrustedText text={shownValue(value)} /></code></Mark>;
