import { ItemTitle } from '@/components/held/item-title';
import { Digest } from '@/components/ui/digest';
import type { StatementLine } from '@/components/ui/statement-list';
import { UntrustedText } from '@/components/ui/untrusted-text';
import type { ApprovalView } from '@/lib/approvals/view';
import type { VoteStatement } from '@/lib/approvals/vote';
import type { HeldAction } from '@/lib/approvals/held-action';
import { formatUtc } from '@/lib/client/format-time';


/** What the signature would say, in words; the exact bytes stand below it. */
export function statementLines(held: HeldAction, view: ApprovalView, statement: VoteStatement, expiresAt: string): readonly StatementLine[] {
  const deciding = held.rules.filter(({ action }) => action === 'STEP_UP').map(({ id }) => id);
  return [
    { label: 'I approve', value: <><ItemTitle held={held} />{held.transformed === null ? ', as the agent wrote it' : <>, as policy changed it (<code className="prime">a′</code>)</>}</> },
    { label: 'For', value: <><UntrustedText text={held.identity.agent} />, on behalf of <UntrustedText text={held.identity.human} />, once</> },
    { label: 'Under', value: <>Policy r{held.policy.revision}{deciding.length === 0 ? null : <>, rule <code>{deciding.join(', ')}</code></>}</> },
    { label: 'I judged', value: view.checks.length === 0 ? 'No finding asked for a check' : view.checks.map(({ title }) => title).join(' ') },
    ...(statement.reason === undefined ? [] : [{ label: 'Because', value: <UntrustedText text={statement.reason} /> }]),
    { label: 'Valid until', value: formatUtc(Date.parse(expiresAt)) },
    { label: 'Basis', value: <Digest value={statement.basis_digest} /> },
    { label: 'Seen', value: <Digest value={statement.view.digest} length="short" /> },
  ];
}
