import { Button } from '@/components/ui/button';
import { Icon } from '@/components/ui/icon';
import { Section } from '@/components/ui/section';
import { Time } from '@/components/ui/time';
import { UntrustedText } from '@/components/ui/untrusted-text';
import { scopeWords } from '@/components/signing/scope-words';
import type { GrantView } from '@/lib/contracts/console/grants';


const states: { readonly [S in GrantView['state']]: string } = {
  standing: '', waiting: 'Waits for signatures: gives nothing yet', used_up: 'Used up', expired: 'Ended', ended: 'Revoked or replaced', unproven: 'No signed receipt proves it: it gives nothing', suspended: 'Its agent is suspended',
};

interface GrantEntryProps {
  readonly grant: GrantView;
  readonly needed: number;
  readonly onSign: (() => void) | undefined;
  readonly onNarrow: (() => void) | undefined;
  readonly onRevoke: (() => void) | undefined;
}

/** One grant: who may use what, where, how often still, until when, and who signed that. */
export function GrantEntry({ grant, needed, onSign, onNarrow, onRevoke }: GrantEntryProps) {
  const { agent, tool, operation, uses, used, state } = grant;
  const words = scopeWords(grant.scope);
  const left = Math.max(0, uses - used);
  return (
    <Section
      title={<><UntrustedText text={agent} /> may use <code><UntrustedText text={`${tool}.${operation ?? '*'}`} /></code></>}
      note={state === 'standing' ? `${left.toLocaleString('en')} of ${uses.toLocaleString('en')} uses left` : <b className={state === 'unproven' || state === 'suspended' ? 'bad' : undefined}>{states[state]}</b>}
    >
      <ul className="findings">
        <li><b>Where</b><span>{words.length === 0 ? 'any arguments' : words.map((word, at) => <span key={word}>{at === 0 ? '' : ', and '}<UntrustedText text={word} /></span>)}</span></li>
        <li><b>{state === 'expired' ? 'Ended' : 'Ends'}</b><span><Time at={grant.expires_at} form="date" />{state === 'standing' ? null : `, ${used.toLocaleString('en')} of ${uses.toLocaleString('en')} uses made`}</span></li>
        <li><b>Because</b><span>{grant.reason === null ? 'no reason given' : <UntrustedText text={grant.reason} />}</span></li>
        <li><b>Signed by</b><span>{grant.signers.length === 0 ? 'nobody whose signature counts now' : grant.signers.join(', ')}{state === 'waiting' ? ` (${grant.signers.length} of ${needed})` : ''}, <Time at={grant.created_at} form="date" /></span></li>
      </ul>
      {onSign === undefined && onNarrow === undefined && onRevoke === undefined ? null : (
        <p className="flex flex-wrap gap-2">
          {onSign === undefined ? null : <Button small kind="primary" onClick={onSign} icon={<Icon name="key" small />}>Sign</Button>}
          {onNarrow === undefined ? null : <Button small onClick={onNarrow}>Narrow</Button>}
          {onRevoke === undefined ? null : <Button small kind="deny" onClick={onRevoke}>{state === 'waiting' ? 'Give up' : 'Revoke'}</Button>}
        </p>
      )}
    </Section>
  );
}
