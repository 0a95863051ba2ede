import { ArgumentTable } from '@/components/ui/provenance';
import { FactsList } from '@/components/ui/facts-list';
import { Icon } from '@/components/ui/icon';
import { PersonQuote, UnverifiedQuote } from '@/components/ui/quote';
import { Section } from '@/components/ui/section';
import { Time } from '@/components/ui/time';
import { UntrustedText } from '@/components/ui/untrusted-text';
import { ViewSentence } from '@/components/ui/view-sentence';
import { approvalView, type ApprovalView } from '@/lib/approvals/view';
import { counted } from '@/lib/approvals/view-text';
import { canonicalJson } from '@/lib/shared/canonical-json';
import type { Json } from '@/lib/shared/json';
import type { Redrawn } from '@/lib/verify/redraw-vote';

const states: { readonly [S in Redrawn['state']]: { readonly words: string; readonly icon: 'check' | 'cross' | 'dash' } } = {
  same: { words: 'Drawn again here: it has the digest that the vote covers.', icon: 'check' },
  differs: { words: 'Drawn again here, it has another digest than the vote covers. The person was shown something else.', icon: 'cross' },
  unsigned: { words: 'Drawn from what was held. No signature covers it.', icon: 'dash' },
  unknown: { words: '', icon: 'dash' },
};

/** The screen that an approver judged, drawn again by this browser from what was held, and whether it is the one that was signed. */
export function ApproverScreen({ redrawn, who }: { readonly redrawn: Redrawn; readonly who: string | null }) {
  const { words, icon } = states[redrawn.state];
  return (
    <Section title={`What ${who ?? 'approvers'} saw`} note={redrawn.held === null ? undefined : 'drawn again'} level={3}>
      <p className="redrawn" data-state={redrawn.state}><Icon name={icon} /> <span>{words === '' ? redrawn.why : words}</span></p>
      {redrawn.held === null ? null : (
        <details>
          <summary className="link"><span className="when-closed">Show the screen</span><span className="when-open">Hide the screen</span></summary>
          <Screen view={approvalView(redrawn.held)} ticked={redrawn.statement?.checks ?? null} />
        </details>
      )}
    </Section>
  );
}

function Screen({ view, ticked }: { readonly view: ApprovalView; readonly ticked: readonly string[] | null }) {
  const running = view.arguments.filter(({ after }) => after !== null);
  return (
    <div className="screen">
      <p><b className="mono">{view.title}</b> <span className="t3">{view.effect}, {view.impact} impact</span></p>
      <ul className="meta2">{view.facts.map((fact, index) => <li key={index}><ViewSentence parts={fact} /></li>)}</ul>
      {running.length === 0 ? null : (
        <ArgumentTable
          caption="Arguments, their values and where each was first seen"
          args={running.map(({ path, after, source, where }) => ({ name: path, value: shownValue(after?.value ?? null), origin: source, detail: where === null || where === source ? undefined : <UntrustedText text={where} /> }))}
        />
      )}
      {view.requests.map((request) => <PersonQuote key={request.at} by={view.identity.human} standing={<Time at={request.at} form="clock" />} note="request" text={request.text} />)}
      {view.agent_reason === null ? null : <UnverifiedQuote by={`${view.identity.agent}’s stated reason`} text={view.agent_reason.map(({ text }) => text).join('')} />}
      {view.checks.length === 0 ? null : (
        <ul className="limits">
          {view.checks.map(({ id, title, detail }) => <li key={id}><Icon name={ticked === null ? 'dash' : ticked.includes(id) ? 'check' : 'cross'} label={ticked === null ? 'Asked for' : ticked.includes(id) ? 'Ticked' : 'Not ticked'} /><span><b>{title}</b> <ViewSentence parts={detail} /></span></li>)}
        </ul>
      )}
      <FactsList
        facts={[
          { label: 'Held by', value: view.why_held.rules.map(({ id }) => id).join(', ') },
          { label: 'Policy', value: `r${view.why_held.policy.revision}` },
          { label: 'Approvers', value: `${counted(view.approvers.needed, 'signature')} of ${view.approvers.groups.join(view.approvers.all_groups ? ' and ' : ' or ')}` },
          { label: 'Labels', value: view.labels.length === 0 ? 'none' : view.labels.join(', ') },
          { label: 'Waited until', value: <Time at={view.expires_at} form="date" /> },
        ]}
      />
    </div>
  );
}

const shownValue = (value: Json): string => (typeof value === 'string' ? value : canonicalJson(value));
