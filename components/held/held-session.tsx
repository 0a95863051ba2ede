import Link from 'next/link';

import { IdentityChain } from '@/components/ui/identity-chain';
import { Meter, Tag } from '@/components/ui/meter';
import { Section } from '@/components/ui/section';
import { Timeline, type TimelineStep as DrawnStep } from '@/components/ui/timeline';
import { UntrustedText } from '@/components/ui/untrusted-text';
import type { HeldAction, TimelineStep } from '@/lib/approvals/held-action';
import { counted } from '@/lib/approvals/view-text';

const levels = ['PUBLIC', 'INTERNAL', 'CONFIDENTIAL', 'RESTRICTED'];

/** What the session has seen, for whom it runs and what it did so far. */
export function HeldSession({ held, readsReceipts }: { readonly held: HeldAction; readonly readsReceipts: boolean }) {
  const reached = levels.filter((level) => held.labels.includes(level)).at(-1) ?? null;
  const tags = [...new Set(held.labels)].filter((label) => !levels.includes(label)).sort();
  return (
    <>
      <Section title="Data seen this session" note={tags.length === 0 ? undefined : tags.map((tag) => <Tag key={tag}>{tag}</Tag>)}>
        <Meter label="Highest classification seen" reached={reached} />
      </Section>
      <Section title="On whose behalf"><Chain held={held} readsReceipts={readsReceipts} /></Section>
      <Section title="This session so far" note={counted(held.timeline.length, 'step')}><Timeline steps={held.timeline.map(drawnStep)} /></Section>
    </>
  );
}

function Chain({ held, readsReceipts }: { readonly held: HeldAction; readonly readsReceipts: boolean }) {
  const { identity, session } = held;
  return (
    <IdentityChain
      links={[
        { key: 'human', icon: 'person', name: <UntrustedText text={identity.human} />, note: identity.human_person === null ? 'not in the roster' : undefined },
        { key: 'service', icon: 'service', name: <UntrustedText text={identity.service} />, exact: true, note: 'orchestrator' },
        { key: 'agent', icon: 'agent', name: <UntrustedText text={identity.agent} />, exact: true, note: identity.registered_by === null ? undefined : 'registered' },
        { key: 'session', icon: 'session', name: readsReceipts ? <Link className="link" href={`/sessions/${session}`}>{session.slice(0, 12)}…</Link> : `${session.slice(0, 12)}…`, exact: true, note: identity.delegation.length === 0 ? undefined : `below ${counted(identity.delegation.length, 'session')}` },
        { key: 'role', icon: 'role', name: <UntrustedText text={identity.role} />, exact: true, note: identity.scope.length === 0 ? undefined : counted(identity.scope.length, 'scope') },
      ]}
    />
  );
}

function drawnStep(step: TimelineStep, index: number): DrawnStep {
  const labels = step.labels.length === 0 ? undefined : step.labels.map(labelWord).join(', ');
  const base = { key: `${index} ${step.at}`, at: step.at, ...(labels === undefined ? {} : { note: labels }) };
  const subject = <code><UntrustedText text={step.subject} /></code>;
  switch (step.kind) {
    case 'request':
      return { ...base, mark: { icon: 'person' }, what: 'Request received' };
    case 'permit':
      return { ...base, mark: { decision: 'ALLOW', label: 'Permitted' }, what: subject };
    case 'outcome':
      return { ...base, mark: { icon: 'tool' }, what: <>{subject} reported</> };
    case 'attribute':
      return { ...base, mark: { icon: 'ledger' }, what: <>{subject} supplied</> };
    case 'untrusted_text':
      return { ...base, mark: { icon: 'untrusted' }, what: <>Untrusted text entered{step.subject === '' ? '' : <> from {subject}</>}</> };
    case 'held':
      return { ...base, mark: { decision: 'STEP_UP', label: 'Held' }, what: subject, current: true };
  }
}

const labelWord = (label: string): string => (levels.includes(label) ? `${label.charAt(0)}${label.slice(1).toLowerCase()}` : label);
