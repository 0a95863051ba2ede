import { Button } from '@/components/ui/button';
import { Icon } from '@/components/ui/icon';
import { Section } from '@/components/ui/section';
import { SignersList, type Signer } from '@/components/ui/signers-list';
import { Time } from '@/components/ui/time';
import { keyWords } from '@/lib/client/key-words';
import type { ApprovalDetail } from '@/lib/contracts/console/approvals';

/** Who has signed, who may, who may not and why; and what happens when nobody does. */
export function HeldSignatures({ detail, viewer, onExtend }: { readonly detail: ApprovalDetail; readonly viewer: string; readonly onExtend?: (() => void) | undefined }) {
  const { quorum, votes } = detail;
  const voted = new Set<string>(votes.map(({ person }) => person));
  const signers: Signer[] = [
    ...votes.map((vote) => ({
      key: vote.person,
      name: vote.person === viewer ? 'You' : vote.name,
      state: vote.verdict === 'approve' ? ('signed' as const) : ('barred' as const),
      note: <>{vote.verdict === 'approve' ? 'approved' : 'denied'} <Time at={vote.at} form="clock" />{vote.key === null ? null : `, ${keyWords(vote.key.kind)}`}</>,
    })),
    // Once it is over, nobody may sign any more.
    ...(detail.state === 'pending' ? detail.approvers : [])
      .filter(({ person }) => !voted.has(person))
      .map((approver) => ({
        key: approver.person,
        name: approver.person === viewer ? 'You' : approver.name,
        state: approver.excluded ? ('barred' as const) : ('open' as const),
        note: noteOf(approver, approver.person === viewer && quorum.needed - quorum.given === 1),
      })),
  ];
  return (
    <Section title="Signatures" note={`${quorum.given} of ${quorum.needed}`}>
      {signers.length === 0 ? <p className="meta2">{detail.state === 'pending' ? 'Nobody of the signed roster is in its groups.' : 'Nobody signed it.'}</p> : <SignersList signers={signers} />}
      {detail.escalation === null ? null : (
        <p className="meta2">{detail.escalation.done ? 'Escalated' : 'Escalates'} to {detail.escalation.groups.join(', ')} <Time at={detail.escalation.at} form="clock" />{detail.escalation.done ? ': nobody had decided.' : ', if nobody has decided by then.'}</p>
      )}
      {detail.extensions.map(({ by_name, at, expires_at }) => (
        <p key={at} className="meta2">{by_name} extended it <Time at={at} form="clock" />, to <Time at={expires_at} form="clock" />.</p>
      ))}
      {detail.state === 'pending' ? (
        <p className="zero"><b>At zero:</b> denied. The agent gets <code>approval_expired</code>, nothing runs, a receipt is written.</p>
      ) : null}
      {onExtend === undefined ? null : <Button small onClick={onExtend} icon={<Icon name="clock" />}>Extend</Button>}
    </Section>
  );
}

function noteOf({ excluded, has_key }: ApprovalDetail['approvers'][number], completes: boolean): string {
  if (excluded) return 'is part of the request, so can’t sign';
  if (!has_key) return 'may decide, has no key enrolled';
  return completes ? 'would complete the quorum' : 'may sign';
}
