import type { Metadata } from 'next';
import Link from 'next/link';
import { redirect } from 'next/navigation';

import { AuthLayout } from '@/components/layout/auth-layout';
import { DemoKeyBanner, PolicyUnsignedBand } from '@/components/layout/standing-bands';
import { SignInForm } from '@/components/auth/sign-in-form';
import { Band } from '@/components/ui/band';
import { safePath } from '@/lib/client/safe-path';
import { getViewer } from '@/lib/server/get-viewer';
import { readStatus } from '@/lib/server/reads/console-status';

export const metadata: Metadata = { title: 'Sign in' };

const recoverPath = '/settings/trust/recover';

type Search = Promise<Readonly<Record<string, string | string[] | undefined>>>;

export default async function SignInPage({ searchParams }: { readonly searchParams: Search }) {
  const { next } = await searchParams;
  const goTo = safePath(typeof next === 'string' ? next : null);
  if (await getViewer()) redirect(goTo);
  const status = await readStatus();
  const recovering = goTo === recoverPath;
  const open = status.ok && status.value.set_up === 'open';
  const notices = status.ok ? (
    <>
      {status.value.policy === null ? <PolicyUnsignedBand /> : null}
      {status.value.banners.demo_key ? <DemoKeyBanner /> : null}
    </>
  ) : <Band tone="deny" icon="stale" full title={`${status.error.detail}`}>Nobody can sign in until it is put right. <code>{status.error.code}</code></Band>;
  return (
    <AuthLayout title="Sign in" lead="Agents propose. You countersign." notices={notices}>
      {open ? (
        <Band icon="key" title="Nobody has been set up yet." role="note">The one-time set-up link was printed where Countersign was started. It makes you the first owner.</Band>
      ) : null}
      {recovering ? (
        <Band icon="key" title="Sign in to use the recovery key." role="note">Your password opens the page and signs nothing; the recovery key does. Without an owner’s password, run <code>npx countersign trust recover</code> where the console runs.</Band>
      ) : null}
      <SignInForm goTo={goTo} />
      {open || recovering ? null : <p className="meta2 mt-5">An owner whose key is lost can <Link className="link" href={`/sign-in?next=${encodeURIComponent(recoverPath)}`}>use the recovery key</Link>.</p>}
    </AuthLayout>
  );
}
