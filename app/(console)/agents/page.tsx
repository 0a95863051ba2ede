import type { Metadata } from 'next';

import { AgentsScreen } from '@/components/agents/agents-screen';
import { can } from '@/lib/auth/viewer-of';
import { queryKeys } from '@/lib/client/query-keys';
import { Seeded } from '@/lib/client/seeded';
import { readAgents } from '@/lib/server/reads/agents';

import { MaySee } from '../may-see';
import { requireViewer } from '../require-viewer';

export const metadata: Metadata = { title: 'Agents' };

export default async function AgentsPage() {
  const viewer = await requireViewer();
  return (
    <MaySee viewer={viewer} permission={['agents.manage', 'roster.view']} title="Agents" what="the agents" whoMay="Owners, admins and auditors may.">
      <Seeded seeds={[{ key: queryKeys.agents, read: await readAgents() }]}>
        <AgentsScreen person={viewer.person} maySign={can(viewer, 'roster.sign')} mayManage={can(viewer, 'agents.manage')} mayThrow={can(viewer, 'switch.throw')} mayRelease={can(viewer, 'switch.release')} mayRestore={can(viewer, 'agents.restore')} />
      </Seeded>
    </MaySee>
  );
}
