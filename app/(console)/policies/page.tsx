import type { Metadata } from 'next';
import type { SearchParams } from 'nuqs/server';

import { PoliciesScreen } from '@/components/policies/policies-screen';
import { ProposalsScreen } from '@/components/proposals/proposals-screen';
import { can } from '@/lib/auth/viewer-of';
import { loadPoliciesUrl } from '@/lib/client/policies-url';
import { queryKeys } from '@/lib/client/query-keys';
import { Seeded, type Seed } from '@/lib/client/seeded';
import { readPolicies, readRevision } from '@/lib/server/reads/policies';
import { readProposal, readProposals } from '@/lib/server/reads/proposals';
import { isId } from '@/lib/shared/ids';

import { MaySee } from '../may-see';
import { requireViewer } from '../require-viewer';

export const metadata: Metadata = { title: 'Policies' };

export default async function PoliciesPage({ searchParams }: { readonly searchParams: Promise<SearchParams> }) {
  const viewer = await requireViewer();
  const { tab, revision, proposal } = await loadPoliciesUrl(searchParams);
  const onRevisions = tab === 'revisions' || revision !== null;
  const [proposals, policies] = await Promise.all([readProposals(), readPolicies()]);
  const seeds: Seed[] = [{ key: queryKeys.proposalList, read: proposals }, { key: queryKeys.policies, read: policies }];
  const shown = revision ?? (policies.ok ? policies.value.in_force?.revision : undefined);
  const first = proposal ?? (proposals.ok ? proposals.value.live[0]?.id : undefined);
  if (onRevisions && shown !== undefined) seeds.push({ key: queryKeys.revision(shown), read: await readRevision({ revision: shown }) });
  if (!onRevisions && first !== undefined && isId('proposal', first)) seeds.push({ key: queryKeys.proposal(first), read: await readProposal({ id: first }) });
  const may = { sign: can(viewer, 'policy.sign'), draft: can(viewer, 'policy.draft') };
  return (
    <MaySee viewer={viewer} permission="policy.view" title="Policies" what="the policy" whoMay="Owners, admins, approvers and auditors may.">
      <Seeded seeds={seeds}>
        {onRevisions ? <PoliciesScreen person={viewer.person} mayDraft={may.draft} /> : <ProposalsScreen person={viewer.person} may={may} />}
      </Seeded>
    </MaySee>
  );
}
