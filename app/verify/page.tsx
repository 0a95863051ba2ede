import type { Metadata } from 'next';

import { HostedVerifier } from '@/components/verify/hosted-verifier';
import { AuthLayout } from '@/components/layout/auth-layout';

export const metadata: Metadata = { title: 'Verify a bundle' };

/** Public: whoever holds a bundle checks it here, and nothing of it leaves their browser. */
export default function VerifyPage() {
  return (
    <AuthLayout
      title="Verify a bundle"
      width="page"
      lead={<>Everything is checked in this browser. No part of the file is sent anywhere. If you would rather not take this page’s word for that, <a className="link" href="/verify/verifier.html" download="verify.html">take the verifier as one file</a> and open it without a network.</>}
    >
      <HostedVerifier />
    </AuthLayout>
  );
}
