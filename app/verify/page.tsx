import type { Metadata } from 'next';

import { VerifyScreen } from '@/components/verify/verify-screen';
import { AuthLayout } from '@/components/layout/auth-layout';

export const metadata: Metadata = { title: 'Verify a bundle' };

/** Public: whoever holds a bundle checks it here, and nothing of it leaves their browser. */
export default function VerifyPage() {
  return (
    <AuthLayout title="Verify a bundle" lead="Everything is checked in this browser. No part of the file is sent anywhere." width="wide">
      <VerifyScreen />
    </AuthLayout>
  );
}
