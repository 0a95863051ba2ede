import type { Metadata } from 'next';

import { SetUpForm } from '@/components/set-up/set-up-form';
import { AuthLayout } from '@/components/layout/auth-layout';
import { PolicyUnsignedBand } from '@/components/layout/standing-bands';
import { Band } from '@/components/ui/band';
import { ButtonLink } from '@/components/ui/button';
import { readSetUp } from '@/lib/server/reads/set-up';

export const metadata: Metadata = { title: 'Set up', referrer: 'no-referrer' };

type Search = Promise<Readonly<Record<string, string | string[] | undefined>>>;

export default async function SetUpPage({ searchParams }: { readonly searchParams: Search }) {
  const { token } = await searchParams;
  const link = typeof token === 'string' ? token : '';
  const state = await readSetUp(link);
  if (!state.ok) {
    return <AuthLayout title="Set-up cannot start"><Band tone="deny" icon="stale" title={state.error.detail}>Nothing was changed. <code>{state.error.code}</code></Band></AuthLayout>;
  }
  if (state.value.state === 'done') {
    return <AuthLayout title="Set-up is done"><p className="auth-lead">The first owner exists, and this link has no power any more.</p><p className="mt-5 flex flex-wrap gap-2"><ButtonLink kind="primary" href="/sign-in">Sign in</ButtonLink></p></AuthLayout>;
  }
  if (state.value.state === 'link_invalid') {
    return (
      <AuthLayout title="This link does not open set-up" notices={<PolicyUnsignedBand />}>
        <Band tone="warn" icon="key" title="It is incomplete, used or too old.">Nothing was changed. Start Countersign again, or run <code>npx countersign set-up-link</code>, and open the link that it prints.</Band>
      </AuthLayout>
    );
  }
  return (
    <AuthLayout title="Set up Countersign" lead="You become the first owner. Everything that loosens will lead to your signature." width="wide" notices={<PolicyUnsignedBand />}>
      <SetUpForm link={link} />
    </AuthLayout>
  );
}
