import { Button } from '@/components/ui/button';
import { Icon } from '@/components/ui/icon';
import { Section } from '@/components/ui/section';
import { UntrustedText } from '@/components/ui/untrusted-text';
import type { ShownFault } from '@/lib/contracts/console/action-result';
import type { ProposalDetail } from '@/lib/contracts/console/proposals';

interface StaleBoxProps {
  readonly detail: ProposalDetail;
  readonly busy: boolean;
  readonly fault: ShownFault | null;
  readonly onRebase: () => void;
}

/** Why it can't be signed as it is, what a rebase would run into, and the way to it. */
export function StaleBox({ detail, busy, fault, onRebase }: StaleBoxProps) {
  const { base, in_force: now, conflicts, signatures } = detail;
  const onto = now === null ? 'nothing' : `r${String(now.revision)}`;
  const set = signatures.length === 0 ? 'describe' : `and ${signatures.length === 1 ? 'one signature' : `${String(signatures.length)} signatures`} describe`;
  return (
    <Section title="Stale, can’t be signed" note={<span className="kind kind-stale"><Icon name="stale" small />written on {base === null ? 'nothing' : `r${String(base.revision)}`}, now {onto}</span>}>
      <p className="meta2">The policy moved after this was written. Its change, its proof {set} a text that would replace another one than is in force. Signatures don’t carry over.</p>
      {conflicts.length === 0 ? null : (
        <>
          <p className="meta2"><b>{conflicts.length === 1 ? '1 place' : `${String(conflicts.length)} places`}</b> were changed by both, so a person has to write {conflicts.length === 1 ? 'it' : 'them'} again.</p>
          {conflicts.map((conflict) => (
            <div className="patch" key={conflict.from_line}>
              <pre className="code" tabIndex={0}>
                <span className="l at">line {conflict.from_line}, as {onto} has it</span>
                {lines(conflict.in_force).map((line, at) => <span className="l" key={at}><UntrustedText text={line} /></span>)}
                <span className="l at">the same place, as this proposal wants it</span>
                {lines(conflict.proposed).map((line, at) => <span className="l add" key={at}><UntrustedText text={line} /></span>)}
              </pre>
            </div>
          ))}
        </>
      )}
      {fault === null ? null : <p className="meta2 bad" role="alert">{fault.title}. {fault.detail} {fault.fix}</p>}
      {detail.may.rebase && conflicts.length === 0 ? <p className="mt-2"><Button onClick={onRebase} offBecause={busy ? 'Rebasing' : undefined}>Rebase on {onto} and check again</Button></p> : null}
    </Section>
  );
}

const lines = (text: string): readonly string[] => (text === '' ? ['(taken away)'] : text.replace(/\n$/, '').split('\n'));
