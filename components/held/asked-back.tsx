import { PersonQuote } from '@/components/ui/quote';
import { Section } from '@/components/ui/section';
import { Time } from '@/components/ui/time';
import { UntrustedText } from '@/components/ui/untrusted-text';
import type { AskedBack as Asked, HeldAction } from '@/lib/approvals/held-action';
import { counted } from '@/lib/approvals/view-text';

/** What approvers wanted to know about the action before, and what they were told. */
export function AskedBack({ held }: { readonly held: HeldAction }) {
  const { asked = [] } = held;
  if (asked.length === 0) return null;
  return (
    <Section title="Asked back" note={`${counted(asked.length, 'question')}. An answer is somebody’s word: no rule reads it.`}>
      {asked.map((one) => (
        <div key={one.at}>
          <PersonQuote by={one.name} standing={<Time at={one.at} form="clock" />} note="asked back" text={one.question} />
          {one.answer === null
            ? <p className="meta2"><UntrustedText text={answeredBy(one, held)} /> settled that there is no answer, <Time at={one.answered_at} form="clock" />.</p>
            : <PersonQuote by={answeredBy(one, held)} standing={<Time at={one.answered_at} form="clock" />} note={one.answered_by === 'requester' ? 'answer, signed' : 'answer, as the orchestrator recorded it'} text={one.answer} />}
        </div>
      ))}
    </Section>
  );
}

const answeredBy = ({ answered_by: source }: Asked, { identity }: HeldAction): string => (source === 'requester' ? identity.human : source.replace(/^orchestrator:/, ''));
