import type { Metadata } from 'next';

import { NoSigningRequest, SigningRequestScreen } from '@/components/policy-signing/signing-request-screen';
import { readSigningRequest } from '@/lib/server/reads/signing-requests';

import { MaySee } from '../../may-see';
import { requireViewer } from '../../require-viewer';

export const metadata: Metadata = { title: 'Sign a policy' };

export default async function SignPolicyPage({ searchParams }: { readonly searchParams: Promise<{ readonly link?: string | string[] }> }) {
  const viewer = await requireViewer();
  const { link } = await searchParams;
  const request = typeof link === 'string' ? await readSigningRequest({ link }) : null;
  return (
    <MaySee viewer={viewer} permission="policy.sign" title="Sign a policy" what="what a command wants signed" whoMay="Owners may sign it.">
      {request?.ok === true && typeof link === 'string' ? <SigningRequestScreen link={link} request={request.value} person={viewer.person} /> : <NoSigningRequest detail={request?.ok === false ? request.error.detail : 'The address has no link in it.'} />}
    </MaySee>
  );
}
