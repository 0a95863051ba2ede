import { Band } from '@/components/ui/band';
import { Countdown } from '@/components/ui/countdown';
import { CopyButton } from '@/components/ui/copy-button';
import { DecisionChip } from '@/components/ui/decision-chip';
import { IdentityChain } from '@/components/ui/identity-chain';
import { Risk } from '@/components/ui/risk';
import { Section } from '@/components/ui/section';
import { Time } from '@/components/ui/time';
import { UntrustedText } from '@/components/ui/untrusted-text';
import { DetailPane, ItemHead } from '@/components/layout/two-pane';
import type { DeferralItem } from '@/lib/contracts/console/deferrals';

export const zeroWords: { readonly [T in DeferralItem['at_timeout']]: string } = { DENY: 'denied', STEP_UP: 'held for a person' };

const suppliers: Readonly<Record<string, string>> = {
  information_point: 'an information point, asked by itself', orchestrator: 'the orchestrator', requester: 'the requester', approver: 'an approver', enforcement_point: 'the enforcement point',
};

/** One deferred action: the facts that are missing and who can supply each. */
export function DeferralDetail({ item, offsetMs, live }: { readonly item: DeferralItem; readonly offsetMs: number; readonly live: boolean }) {
  return (
    <DetailPane
      labelledBy="deferral-title"
      head={
        <ItemHead
          back={{ href: '/deferrals', label: 'Deferred' }}
          tags={<><DecisionChip decision="DEFER" variant="chip" /><Risk level={item.impact} suffix="impact" /><span className="t3">Deferred <Time at={item.deferred_at} form="clock" /></span></>}
          titleId="deferral-title"
          title={<code>{item.title}</code>}
          summary={item.missing.length === 0 ? 'Rules of the policy disagree, so it waits for a person.' : 'Policy can’t judge this yet: it reads facts that nobody has supplied.'}
          clock={<Countdown deadline={item.expires_at} since={item.deferred_at} atZero={zeroWords[item.at_timeout]} offsetMs={offsetMs} live={live} />}
        />
      }
      side={
        <>
          <Section title="On whose behalf">
            <IdentityChain links={[
              { key: 'human', icon: 'person', name: <UntrustedText text={item.human} /> },
              { key: 'agent', icon: 'agent', name: <UntrustedText text={item.agent} />, exact: true },
              { key: 'session', icon: 'session', name: `${item.session.slice(0, 12)}…`, exact: true },
            ]} />
          </Section>
          <p className="zero"><b>At zero:</b> {zeroWords[item.at_timeout]}. {item.at_timeout === 'DENY' ? 'The agent gets deferral_expired, nothing runs, a receipt is written.' : 'Somebody of its groups has to countersign it then.'}</p>
        </>
      }
    >
      <Section title="Facts this decision needs" note={`${item.missing.length} missing`}>
        {item.missing.length === 0 ? <p className="meta2">Nothing is missing.</p> : (
          <table className="missing">
            <caption className="vh">Missing facts and who can supply them</caption>
            <thead><tr><th scope="col">Fact</th><th scope="col">Who can supply it</th><th scope="col">State</th></tr></thead>
            <tbody>
              {item.missing.map((fact) => (
                <tr key={`${fact.field} ${fact.subject ?? ''}`}>
                  <th scope="row"><UntrustedText text={fact.field} />{fact.subject === null ? null : <span className="meta"><UntrustedText text={fact.subject} /></span>}</th>
                  <td>{fact.suppliers.length === 0 ? 'nobody is listed' : fact.suppliers.map((name) => suppliers[name] ?? name).join(', or ')}</td>
                  <td><span className="state"><i className="gap" aria-hidden />No answer</span></td>
                </tr>
              ))}
            </tbody>
          </table>
        )}
      </Section>
      <Section title="Why it waits">
        <p className="meta2">{item.rules.length === 0 ? 'No rule was named.' : <>Rule <code>{item.rules.join(', ')}</code></>}</p>
        <p className="meta2">Action <code>{item.action}</code><CopyButton value={item.action} what="action id" /></p>
      </Section>
      <Band icon="clock" title="Nothing to approve." role="note">Whoever supplies the last fact, through the decision plane, has the action decided again by the policy of that moment. Time alone never allows it.</Band>
    </DetailPane>
  );
}
