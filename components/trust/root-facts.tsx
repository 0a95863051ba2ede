import { Band } from '@/components/ui/band';
import { Digest } from '@/components/ui/digest';
import { FactsList } from '@/components/ui/facts-list';
import { Section } from '@/components/ui/section';
import { Time } from '@/components/ui/time';
import { permitsBrowserKeysForHighImpact } from '@/lib/authority/key-kinds';
import type { TrustView } from '@/lib/contracts/console/trust';

/** Which root is in force, by which fingerprint anybody knows it, and what this console has pinned outside the database. */
export function RootFacts({ view }: { readonly view: TrustView }) {
  const { pin } = view;
  return (
    <Section title="Trust root in force" note={`version ${view.version}`}>
      <FactsList facts={[
        { label: 'Fingerprint', value: <Digest value={view.fingerprint} copy /> },
        { label: 'This version', value: <Digest value={view.digest} length="short" copy /> },
        { label: 'Signed', value: <Time at={view.created_at} form="date" /> },
        { label: 'Roster', value: `version ${view.roster_version}` },
        pin.state === 'pinned'
          ? { label: 'Pinned here', value: `root ${pin.root_version}, roster ${pin.roster_version}, ${pin.log_size === null ? 'no receipts' : `${pin.log_size.toLocaleString('en')} receipts`}` }
          : { label: 'Pinned here', value: pin.detail, tone: 'bad' as const },
      ]} />
      {permitsBrowserKeysForHighImpact(view.root) ? <Band tone="warn" icon="key" title="Browser keys may sign high impact here." role="note">Take them away below as soon as enough people have a passkey or a key file.</Band> : null}
    </Section>
  );
}
