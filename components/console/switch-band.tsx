import Link from 'next/link';

import { Band } from '@/components/ui/band';
import { Time } from '@/components/ui/time';
import { UntrustedText } from '@/components/ui/untrusted-text';
import type { SwitchView } from '@/lib/contracts/console/agents';

/** A kill switch that is on, over every page: what it stops, who threw it, when and why, and who releases it. */
export function SwitchBand({ thrown: { scope, subject, thrown_by, thrown_at, reason }, owners }: { readonly thrown: SwitchView; readonly owners: readonly string[] }) {
  const what = scope === 'all' ? 'Everything is stopped' : <>The {scope} <UntrustedText text={subject} /> is stopped</>;
  return (
    <Band
      tone="deny" icon="denied" role="note" full title={<>{what}: {scope === 'all' ? 'every action' : 'what it covers'} is denied.</>}
      action={<Link className="link" href="/agents">Look</Link>}
    >
      {thrown_by} threw the kill switch, <Time at={thrown_at} form="age" />{reason === null ? '.' : <>: “<UntrustedText text={reason} />”</>} {owners.length === 0 ? 'An owner releases it with a signature.' : `${owners.join(' or ')} can release it, with a signature.`}
    </Band>
  );
}
