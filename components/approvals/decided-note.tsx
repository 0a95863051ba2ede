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
  superseded: 'Replaced by an edited request.',
  stale: 'It changed, so it was decided again.',
};

/** How a request ended, who brought it about and what the agent was told. */
export function DecidedNote({ detail }: { readonly detail: ApprovalDetail }) {
  const { state, resolved, action } = detail;
  if (state === 'pending') return null;
  return (
    <Band tone={state === 'approved' ? 'plain' : 'warn'} icon="clock" title={titles[state]} role="note">
      {resolved === null ? null : <>{resolved.by_name === '' ? null : <>By {resolved.by_name}, </>}<Time at={resolved.at} form="date" />. </>}
      {action.guidance === null ? null : <>The agent was told: “<UntrustedText text={action.guidance} />” </>}
      Its action: {action.state.replaceAll('_', ' ')}.
    </Band>
  );
}
