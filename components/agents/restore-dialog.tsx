'use client';

import { prepareAgentRestoration, restoreAgent } from '@/app/actions/agents';
import { Time } from '@/components/ui/time';
import type { AgentView } from '@/lib/contracts/console/agents';
import type { PersonId } from '@/lib/shared/ids';

import { OwnersWordDialog } from './owners-word-dialog';

interface RestoreDialogProps {
  readonly agent: AgentView;
  readonly person: PersonId;
  readonly onClose: () => void;
}

/** An owner’s signature over exactly the suspension that it ends. */
export function RestoreDialog({ agent: { id, role, suspended_at }, person, onClose }: RestoreDialogProps) {
  return (
    <OwnersWordDialog
      person={person} title={`Restore ${id}?`} description="From then on it may propose again. Its credentials and grants stay revoked: give it new ones."
      does="Sign and restore" nothing="It stays suspended." about={['agent-restoration', id]}
      lines={[
        { label: 'Agent', value: <>{id}, role <code>{role}</code></> },
        { label: 'Suspended', value: suspended_at === null ? '–' : <Time at={suspended_at} form="date" /> },
        { label: 'Ends', value: 'that suspension, and no later one' },
      ]}
      prepare={() => prepareAgentRestoration({ agent: id })} send={(signed) => restoreAgent({ agent: id, ...signed })} onClose={onClose}
    />
  );
}
