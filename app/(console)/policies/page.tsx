import type { Metadata } from 'next';
import type { SearchParams } from 'nuqs/server';

import { PoliciesScreen } from '@/components/policies/policies-screen';
import { can } from '@/lib/auth/viewer-of';
import { loadPoliciesUrl } from '@/lib/client/policies-url';
import { queryKeys } from '@/lib/client/query-keys';
import { Seeded, type Seed } from '@/lib/client/seeded';
import { readPolicies, readRevision } from '@/lib/server/reads/policies';

import { MaySee } from '../may-see';
import { requireViewer } from '../require-viewer';

export const metadata: Metadata = { title: 'Policies' };

export default async function PoliciesPage({ searchParams }: { readonly searchParams: Promise<SearchParams> }) {
  const viewer = await requireViewer();
  const { revision } = await loadPoliciesUrl(searchParams);
  const policies = await readPolicies();
  const seeds: Seed[] = [{ key: queryKeys.policies, read: policies }];
  const shown = revision ?? (policies.ok ? policies.value.in_force?.revision : undefined);
  if (shown !== undefined) seeds.push({ key: queryKeys.revision(shown), read: await readRevision({ revision: shown }) });
  return (
    <MaySee viewer={viewer} permission="policy.view" title="Policies" what="the policy" whoMay="Owners, admins, approvers and auditors may.">
      <Seeded seeds={seeds}>
        <PoliciesScreen person={viewer.person} maySign={can(viewer, 'policy.sign')} mayDraft={can(viewer, 'policy.draft')} />
      </Seeded>
    </MaySee>
  );
}
