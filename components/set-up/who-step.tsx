'use client';

import { useState } from 'react';

import { Band } from '@/components/ui/band';
import { Button } from '@/components/ui/button';
import { Field, Input } from '@/components/ui/field';
import { Icon } from '@/components/ui/icon';
import type { ShownFault } from '@/lib/contracts/console/action-result';
import { enrolKinds, type EnrolKind } from '@/lib/client/make-key';
import { usePasskeyOffer } from '@/lib/client/use-passkey-offer';
import { setUpModes, type SetUpMode } from '@/lib/contracts/console/set-up';

export type Who = { readonly name: string; readonly email: string; readonly password: string; readonly mode: SetUpMode; readonly key: EnrolKind };

interface WhoStepProps {
  readonly busy: boolean;
  readonly fault: ShownFault | null;
  readonly onDone: (who: Who) => void;
}

const modes: { readonly [M in SetUpMode]: { readonly title: string; readonly what: string } } = {
  solo: { title: 'Just me', what: 'You may approve what your own agents ask, except where the impact is critical. Each receipt shows it.' },
  team: { title: 'A team', what: 'Nobody approves what was asked on their own behalf. Until you add a second person, what is held for you runs out.' },
};

const keys: { readonly [K in EnrolKind]: { readonly title: string; readonly what: string } } = {
  passkey: { title: 'A passkey', what: 'It asks you each time, on your device or a security key, so that nothing which drives this browser can sign for you. Keys in browsers may then sign only what has low or medium impact.' },
  'browser-ed25519': { title: 'A key in this browser', what: 'Nothing asks you: whatever drives this browser can sign too. The console says so on every screen.' },
};

const shortest = 12;

/** Who the first owner is, and what a browser key is, before one is made. */
export function WhoStep({ busy, fault, onDone }: WhoStepProps) {
  const [who, setWho] = useState({ name: '', email: '', password: '', again: '' });
  const [mode, setMode] = useState<SetUpMode>('solo');
  const [chosen, setChosen] = useState<EnrolKind | null>(null);
  const offered = usePasskeyOffer();
  const key: EnrolKind = chosen ?? (offered === 'at_hand' ? 'passkey' : 'browser-ed25519');
  const [tried, setTried] = useState(false);
  const set = (part: Partial<typeof who>) => setWho((before) => ({ ...before, ...part }));
  const tooShort = who.password.length < shortest ? `At least ${shortest} characters.` : undefined;
  const differs = who.password === who.again ? undefined : 'The two are not the same.';

  function done() {
    setTried(true);
    if (busy || tooShort !== undefined || differs !== undefined) return;
    onDone({ name: who.name, email: who.email, password: who.password, mode, key });
  }

  return (
    <form onSubmit={(event) => { event.preventDefault(); done(); }}>
      <Field label="Your name">{(control) => <Input {...control} required autoFocus maxLength={200} autoComplete="name" value={who.name} onChange={(event) => set({ name: event.target.value })} />}</Field>
      <Field label="E-mail">{(control) => <Input {...control} type="email" required autoComplete="username" value={who.email} onChange={(event) => set({ email: event.target.value })} />}</Field>
      <Field label="Password" hint="It opens the console. It signs nothing." error={tried ? tooShort : undefined}>
        {(control) => <Input {...control} type="password" required autoComplete="new-password" value={who.password} onChange={(event) => set({ password: event.target.value })} />}
      </Field>
      <Field label="Password again" error={tried ? differs : undefined}>
        {(control) => <Input {...control} type="password" required autoComplete="new-password" value={who.again} onChange={(event) => set({ again: event.target.value })} />}
      </Field>
      <fieldset className="reasons mt-5">
        <legend className="meta">Just you, or a team?</legend>
        {setUpModes.map((value) => (
          <label key={value}><input type="radio" name="mode" value={value} checked={mode === value} onChange={() => setMode(value)} /><span><b>{modes[value].title}.</b> <span className="t2">{modes[value].what}</span></span></label>
        ))}
      </fieldset>
      <fieldset className="reasons mt-5">
        <legend className="meta">What signs for you?</legend>
        {enrolKinds.map((kind) => (
          <label key={kind}><input type="radio" name="key" value={kind} checked={key === kind} disabled={kind === 'passkey' && offered === 'impossible'} onChange={() => setChosen(kind)} /><span><b>{keys[kind].title}.</b> <span className="t2">{kind === 'passkey' && offered === 'impossible' ? 'Not at this address: passkeys need https or localhost, and a name instead of digits.' : keys[kind].what}</span></span></label>
        ))}
      </fieldset>
      <Band icon="key" title={key === 'passkey' ? 'Next, your device makes your passkey.' : 'Next, this browser makes your key.'} role="note">
        You sign approvals and policies with it. {key === 'passkey' ? 'It never leaves your device or your password manager. If you lose it,' : 'It lives in this browser profile, at this address, and nobody can copy it out, not even this page. Clearing the site’s data deletes it;'} the recovery key of the next step is for that day.
      </Band>
      {fault === null ? null : <Band tone="deny" icon="stale" role="alert" title={`${fault.title}.`}>{fault.detail} {fault.fix} {fault.issues.map(({ path, message }) => `${path}: ${message}`).join(' ')}</Band>}
      <p className="mt-5 flex flex-wrap gap-2"><Button kind="primary" type="submit" offBecause={busy ? 'Making the keys' : undefined} icon={<Icon name="key" />}>Make my key</Button></p>
    </form>
  );
}
