'use client';

import { useQuery } from '@tanstack/react-query';

import { Band } from '@/components/ui/band';
import { Button } from '@/components/ui/button';
import { CopyButton } from '@/components/ui/copy-button';
import { Digest } from '@/components/ui/digest';
import { FactsList } from '@/components/ui/facts-list';
import { Icon } from '@/components/ui/icon';
import { EmptyState, ErrorState, LoadingRows } from '@/components/ui/pane-states';
import { Ring } from '@/components/ui/ring';
import { Section } from '@/components/ui/section';
import { SignersList } from '@/components/ui/signers-list';
import { Time } from '@/components/ui/time';
import { DetailBlank, DetailPane, ItemHead } from '@/components/layout/two-pane';
import { sha256 } from '@/lib/client/hash';
import { shownFault } from '@/lib/client/parse-answer';
import { revisionTextQuery } from '@/lib/client/queries';
import type { PoliciesView } from '@/lib/contracts/console/policies';
import { digestOf, utf8 } from '@/lib/shared/encoding';
import type { PersonId } from '@/lib/shared/ids';

import { PolicyText } from './policy-text';
import { RollBack } from './roll-back';

interface PolicyDetailProps {
  readonly revision: number;
  readonly refusal: PoliciesView['refusal'];
  /** Who may ask for an old text back; null: nobody here. */
  readonly proposer: PersonId | null;
}

/** One revision: exact text, digest computed here, who signed it, and whether it verifies. */
export function PolicyDetail({ revision, refusal, proposer }: PolicyDetailProps) {
  const { data, error, refetch } = useQuery(revisionTextQuery(revision));
  if (data === undefined) {
    if (error === null) return <DetailBlank><LoadingRows what="the policy" rows={10} /></DetailBlank>;
    const fault = shownFault(error);
    return <DetailBlank>{fault.code === 'not_found' ? <EmptyState title={`There is no revision ${revision}.`}>Pick one from the list.</EmptyState> : <ErrorState title="The policy could not be read." code={fault.code} action={<Button small onClick={() => void refetch()}>Read again</Button>}>{fault.detail}</ErrorState>}</DetailBlank>;
  }
  const same = digestOf(sha256, utf8(data.text)) === data.digest;
  const verified = data.verification.state === 'verified';
  const of = Math.max(data.needed, data.signers.length);
  return (
    <DetailPane
      labelledBy="policy-title"
      head={
        <ItemHead
          back={{ href: '/policies', label: 'Policies' }}
          tags={<>{data.in_force ? <b>In force</b> : <span className="t3">{verified ? 'Replaced' : 'Not used'}</span>}{verified ? <Ring signed={data.signers.length} of={of} /> : null}<span className="t3">Applied <Time at={data.applied_at} form="date" /></span></>}
          titleId="policy-title"
          title={<code>Policy r{data.revision}</code>}
          summary={data.in_force ? 'Every action is decided by exactly this text.' : verified ? 'Signed and once in force. A later revision took its place.' : 'No process uses this text.'}
        />
      }
      side={
        <>
          <Section title="Signatures" note={`${data.signers.length} of ${of}`}>
            {data.signers.length === 0 ? <p className="meta2">None that verifies.</p> : <SignersList signers={data.signers.map((name) => ({ key: name, name, state: 'signed' as const, note: 'owner' }))} />}
          </Section>
          <Section title="Text">
            <FactsList facts={[
              { label: 'Format', value: data.format },
              { label: 'Applied by', value: data.applied_by },
              { label: 'Lines', value: data.text.replace(/\n$/, '').split('\n').length.toLocaleString('en') },
              { label: 'Digest, computed here', value: same ? <span className="inline-flex items-center gap-1"><Icon name="check" small />same</span> : 'differs', ...(same ? {} : { tone: 'bad' as const }) },
            ]} />
            <p className="mt-2"><Digest value={data.digest} copy /></p>
          </Section>
        </>
      }
    >
      {data.verification.state === 'refused' ? <Band tone="deny" icon="denied" title="This revision is refused." role="note">{data.verification.detail} No process uses it; the last good one goes on. <code>{data.verification.code}</code></Band> : null}
      {proposer !== null && verified && same && !data.in_force ? <RollBack person={proposer} revision={data} /> : null}
      {data.in_force && refusal !== null ? <Band tone="warn" title={`${refusal.title}, so this one goes on.`} role="note">{refusal.detail} <code>{refusal.code}</code></Band> : null}
      <Section title="Exact text" note={<>what the signatures cover<CopyButton value={data.text} what="policy text" /></>}><PolicyText text={data.text} /></Section>
      <Section title="Signatures as stored" note="to check without this server">
        <p className="meta2">Over the text <CopyButton value={data.signature} what="signature envelope" labelled /> Over its place <CopyButton value={data.statement} what="revision statement" labelled /></p>
      </Section>
    </DetailPane>
  );
}
