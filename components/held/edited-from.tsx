import Link from 'next/link';

import { PersonQuote } from '@/components/ui/quote';
import { Section } from '@/components/ui/section';
import { Time } from '@/components/ui/time';
import type { HeldAction } from '@/lib/approvals/held-action';

import { EditedDiff } from './edited-diff';

/** The action that an approver changed into this one. Signatures on that one do not count here, the editor's neither. */
export function EditedFrom({ held }: { readonly held: HeldAction }) {
  const { edited } = held;
  if (!edited) return null;
  return (
    <Section title="Edited" note={<>{edited.name} changed it, <Time at={edited.at} form="clock" />. It was decided anew; signatures on <Link className="link" href={`/approvals?item=${edited.from}`}>the request before</Link> don’t count here.</>}>
      {edited.reason === null ? null : <PersonQuote by={edited.name} note="why, signed" text={edited.reason} />}
      <EditedDiff parameters={edited.parameters} transformed={edited.transformed} edited={held.action.parameters} by={edited.name} />
    </Section>
  );
}
