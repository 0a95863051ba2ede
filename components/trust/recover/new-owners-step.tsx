'use client';

import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';

import { KeyChoices, keyChoices } from '../key-choices';
import { Band } from '@/components/ui/band';
import { Button } from '@/components/ui/button';
import { Icon } from '@/components/ui/icon';
import { Section } from '@/components/ui/section';
import type { OwnerKey } from '@/lib/authority/trust-root';
import { refusalOf } from '@/lib/client/action-fault';
import { enrolKinds, makeKey, type EnrolKind } from '@/lib/client/make-key';
import type { SigningKey } from '@/lib/client/signing-key';
import { usePasskeyOffer } from '@/lib/client/use-passkey-offer';
import type { TrustView } from '@/lib/contracts/console/trust';
import type { Viewer } from '@/lib/contracts/console/viewer';

/** `made`: the viewer's new key, which this browser has still to store; null when no new one is wanted. */
export type NewOwners = { readonly owners: readonly OwnerKey[]; readonly made: SigningKey | null };

interface NewOwnersStepProps {
  readonly view: TrustView;
  readonly viewer: Pick<Viewer, 'person' | 'email'>;
  readonly onDone: (owners: NewOwners) => void;
}

const words: { readonly [K in EnrolKind | 'none']: { readonly title: string; readonly what: string } } = {
  passkey: { title: 'A new passkey', what: 'On this device or a security key. It asks you each time.' },
  'browser-ed25519': { title: 'A new key in this browser', what: 'It lives in this browser profile, at this address, until the site’s data is cleared. Nothing asks you.' },
  none: { title: 'No new key', what: 'The keys that you tick below are all.' },
};

/** Who the owners are to be: a new key for whoever lost one, and the keys that others still have. */
export function NewOwnersStep({ view, viewer, onDone }: NewOwnersStepProps) {
  const { policy, root } = view.root.key_kinds;
  const offered = usePasskeyOffer();
  const possible = enrolKinds.filter((kind) => policy.includes(kind) && root.includes(kind) && !(kind === 'passkey' && offered === 'impossible'));
  const [wanted, setWanted] = useState<EnrolKind | 'none' | null>(null);
  const kind = wanted ?? (offered === 'at_hand' && possible.includes('passkey') ? 'passkey' : (possible.at(-1) ?? 'none'));
  const choices = keyChoices(view);
  const [chosen, setChosen] = useState<readonly string[]>(view.root.owners.filter(({ person }) => person !== viewer.person).map(({ key }) => key.id));
  const making = useMutation({
    networkMode: 'always',
    mutationFn: async (): Promise<NewOwners> => {
      const made: SigningKey | null = kind === 'none' ? null : await makeKey(kind, viewer.email, []);
      const kept = choices.filter(({ owner }) => chosen.includes(owner.key.id)).map(({ owner }) => owner);
      return { made, owners: [...(made === null ? [] : [{ person: viewer.person, key: made.entry }]), ...kept] };
    },
    onSuccess: onDone,
  });
  const fault = refusalOf(making.error);
  return (
    <Section title="The new owners" note="step 2 of 3">
      <fieldset className="reasons mt-4">
        <legend className="meta">A key for you</legend>
        {[...possible, 'none' as const].map((one) => (
          <label key={one}><input type="radio" name="own" checked={kind === one} onChange={() => setWanted(one)} /><span><b>{words[one].title}.</b> <span className="t2">{words[one].what}</span></span></label>
        ))}
      </fieldset>
      {possible.length > 0 ? null : <Band tone="warn" icon="key" role="note" title="No key that may sign as an owner can be made here.">The trust root lets {policy.join(', ')} keys sign. Open this page where passkeys work (https, or localhost), or use a key file with <code>countersign trust recover</code> on the console’s host.</Band>}
      <div className="mt-5"><KeyChoices legend="Keys that nobody has lost" choices={choices} chosen={chosen} onChoose={setChosen} /></div>
      <p className="meta mt-4">What is not ticked ends. How many must sign stays: {Math.max(view.root.thresholds.policy, view.root.thresholds.loosening)} for what loosens, {view.root.thresholds.root} for the next trust root.</p>
      {fault === null ? null : <Band tone="deny" icon="stale" role="alert" title={`${fault.title}.`}>{fault.detail} {fault.fix}</Band>}
      <p className="mt-4"><Button kind="primary" gatedBy={kind === 'none' && chosen.length === 0 ? 'Choose a key' : undefined} offBecause={making.isPending ? 'Making the key' : undefined} icon={<Icon name="key" />} onClick={() => making.mutate()}>{kind === 'none' ? 'Go on' : 'Make my key and go on'}</Button></p>
    </Section>
  );
}
