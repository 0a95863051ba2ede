import type { Metadata } from 'next';

import { PolicyEditorScreen } from '@/components/policy-editor/policy-editor-screen';
import { queryKeys } from '@/lib/client/query-keys';
import { Seeded } from '@/lib/client/seeded';
import { readPolicies, readPolicyEditor } from '@/lib/server/reads/policies';

import { MaySee } from '../../may-see';
import { requireViewer } from '../../require-viewer';

export const metadata: Metadata = { title: 'Policy draft' };

export default async function PolicyEditorPage() {
  const viewer = await requireViewer();
  const [editor, policies] = await Promise.all([readPolicyEditor(), readPolicies()]);
  return (
    <MaySee viewer={viewer} permission="policy.draft" title="Policy draft" what="drafts of the policy" whoMay="Owners and admins may write one.">
      <Seeded seeds={[{ key: queryKeys.policyEditor, read: editor }, { key: queryKeys.policies, read: policies }]}>
        <PolicyEditorScreen person={viewer.person} />
      </Seeded>
    </MaySee>
  );
}
