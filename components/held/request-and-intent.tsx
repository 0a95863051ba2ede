import { Icon } from '@/components/ui/icon';
import { PersonQuote, UnverifiedQuote } from '@/components/ui/quote';
import { Scale } from '@/components/ui/scale';
import { Section } from '@/components/ui/section';
import { Time } from '@/components/ui/time';
import { UntrustedText } from '@/components/ui/untrusted-text';
import type { HeldAction, HeldRequest, HeldSignal } from '@/lib/approvals/held-action';

import { MarkedRequest } from './marked-request';

const standing: { readonly [A in HeldRequest['assurance']]: string } = {
  verified: 'verified person',
  orchestrator: 'as the orchestrator recorded it',
  same_host: 'from the agent’s own host, so nobody vouches for it',
};

/** What the person asked for, what the agent says, and how far the two agree. */
export function RequestAndIntent({ held }: { readonly held: HeldAction }) {
  return (
    <Section title="Request and intent" note="Alignment is a hint. It can’t allow anything by itself.">
      {held.requests.length === 0 ? <p className="meta2">No request was recorded for this session.</p> : null}
      {held.requests.map((request, index) => (
        <PersonQuote
          key={`${request.at} ${index}`}
          by={held.identity.human}
          standing={<>{standing[request.assurance]}, <Time at={request.at} form="clock" /></>}
          note={index === 0 ? 'original request' : 'later message'}
          text={request.text}
        >
          <MarkedRequest text={request.text} args={held.arguments} />
        </PersonQuote>
      ))}
      {held.agent_reason === null
        ? <p className="meta2">The agent gave no reason.</p>
        : <UnverifiedQuote by={`${held.identity.agent}’s stated reason`} text={held.agent_reason} />}
      {held.alignment === null
        ? <p className="meta2">Alignment with the request is unknown: no signal had anything to measure.</p>
        : <Scale label="Alignment with request" value={held.alignment / 1000} />}
      {held.signals.length === 0 ? null : <ul className="signals">{held.signals.map((signal) => <Signal key={signal.name} signal={signal} />)}</ul>}
    </Section>
  );
}

/** Half is the middle of a score: below it the signal speaks against the action. */
const middle = 500;

function Signal({ signal }: { readonly signal: HeldSignal }) {
  const { score } = signal;
  const against = score !== null && score < middle;
  const icon = score === null ? 'dash' : against ? 'wider' : 'check';
  return (
    <li>
      <Icon name={icon} small className={against ? 'warn' : score === null ? 't3' : 'good'} label={score === null ? 'Unknown' : against ? 'Speaks against it' : 'Speaks for it'} />
      <span className={against ? 'warn' : undefined}>{signalName(signal.name)}</span>
      <span className="t2"><UntrustedText text={signal.evidence} /></span>
      <span className="num t3">{score === null ? 'unknown' : (score / 1000).toFixed(2)}</span>
    </li>
  );
}

const signalName = (name: string): string => `${name.charAt(0).toUpperCase()}${name.slice(1).replaceAll('_', ' ')}`;
