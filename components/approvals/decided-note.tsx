import Link from 'next/link';

import { Band } from '@/components/ui/band';
import { Time } from '@/components/ui/time';
import { UntrustedText } from '@/components/ui/untrusted-text';
import type { ApprovalStatus } from '@/lib/approvals/approval-state';
import type { ApprovalDetail } from '@/lib/contracts/console/approvals';

const titles: { readonly [S in Exclude<ApprovalStatus, 'pending'>]: string } = {
  approved: 'Approved.',
  denied: 'Denied.',
  expired: 'Time ran out, so it was denied.',
  withdrawn: 'Withdrawn.',
  superseded: 'Another one took its place.',
  stale: 'It changed, so it was decided again.',
};

/** How a request ended, who brought it about and what the agent was told. */
export function DecidedNote({ detail }: { readonly detail: ApprovalDetail }) {
  const { state, resolved, action, gave_way_to: next } = detail;
  if (state === 'pending') return null;
  const title = state !== 'superseded' || next === null ? titles[state] : next.deferral ? 'Somebody asked back instead of deciding.' : next.action ? 'Edited: another action took its place.' : titles[state];
  return (
    <Band
      tone={state === 'approved' ? 'plain' : 'warn'} icon="clock" title={title} role="note"
      action={next === null || (next.request === null && next.deferral === null) ? undefined : next.request !== null ? <Link className="link" href={`/approvals?item=${next.request}`}>Open the request of now</Link> : <Link className="link" href={`/deferrals?item=${next.deferral ?? ''}`}>Open the question</Link>}
    >
      {resolved === null ? null : <>{resolved.by_name === '' ? null : <>By {resolved.by_name}, </>}<Time at={resolved.at} form="date" />. </>}
      {action.guidance === null ? null : <>The agent was told: “<UntrustedText text={action.guidance} />” </>}
      Its action: {action.state.replaceAll('_', ' ')}{next?.action ? <>. It goes on as <code>{next.action.id}</code>, {next.action.state.replaceAll('_', ' ')} (<code>{next.action.code}</code>)</> : null}.
    </Band>
  );
}
