'use client';

import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';

import { enrolKey } from '@/app/actions/keys';
import { EnrolButtons } from '@/components/signing/enrol-buttons';
import { Band } from '@/components/ui/band';
import { Digest } from '@/components/ui/digest';
import { ErrorState, LoadingRows } from '@/components/ui/pane-states';
import { Section } from '@/components/ui/section';
import { Time } from '@/components/ui/time';
import { refusalOf } from '@/lib/client/action-fault';
import { shownFault } from '@/lib/client/parse-answer';
import { ownKeysQuery } from '@/lib/client/queries';
import { useDeviceKeys } from '@/lib/client/use-device-keys';
import { useEnrolment } from '@/lib/client/use-enrolment';
import type { BrowserKey } from '@/lib/client/browser-keys';
import type { OwnKeysView } from '@/lib/contracts/console/keys';
import type { PersonId } from '@/lib/shared/ids';

import { KeyTable, type OwnKey } from './key-table';
import { RenameKeyDialog } from './rename-key-dialog';
import { RevokeKeyDialog } from './revoke-key-dialog';

/** One’s own keys: which there are and where, and ways to name, end and add one. */
export function OwnKeys({ person }: { readonly person: PersonId }) {
  const { data, error } = useQuery(ownKeysQuery());
  const device = useDeviceKeys(person);
  const [renaming, setRenaming] = useState<OwnKey | null>(null);
  const [revoking, setRevoking] = useState<OwnKey | null>(null);
  return (
    <Section title="Your keys" note="you sign with them, and nobody else can">
      {error === null ? null : <ErrorState title="Your keys could not be read." code={shownFault(error).code}>{shownFault(error).detail}</ErrorState>}
      {data === undefined || device === undefined ? (error === null ? <LoadingRows what="keys" rows={2} /> : null) : (
        <>
          <KeyTable view={data} usable={device.map(({ entry }) => entry.id)} held={heldOf(device)} onRename={setRenaming} onRevoke={setRevoking} />
          {data.revoked.length === 0 ? null : <p className="meta2">Revoked: {data.revoked.map(({ key, at }, index) => <span key={key}>{index === 0 ? '' : '; '}<Digest value={key} length="short" /> <Time at={at} /></span>)}.</p>}
          <AddKey person={person} view={data} device={device} />
        </>
      )}
      {renaming === null ? null : <RenameKeyDialog of={renaming} onClose={() => setRenaming(null)} />}
      {revoking === null ? null : <RevokeKeyDialog of={revoking} person={person} onClose={() => setRevoking(null)} />}
    </Section>
  );
}

/** Passkeys that are only known from the roster have no time of making here. */
const heldOf = (device: readonly BrowserKey[]): readonly string[] => device.filter(({ created_at }) => created_at !== '').map(({ entry }) => entry.id);

function AddKey({ person, view, device }: { readonly person: PersonId; readonly view: OwnKeysView; readonly device: readonly BrowserKey[] }) {
  const enrolment = useEnrolment(person, enrolKey);
  const refusal = refusalOf(enrolment.error);
  const here = new Set<string>(device.map(({ entry }) => entry.id));
  const signs = view.enrolled.some(({ id }) => here.has(id));
  const browserKeyHere = device.some(({ entry }) => entry.kind === 'browser-ed25519' && (view.enrolled.some(({ id }) => id === entry.id) || view.waiting.some(({ key }) => key === entry.id)));
  const buttons = <EnrolButtons kinds={browserKeyHere ? ['passkey'] : undefined} busy={enrolment.isPending} onEnrol={(kind) => enrolment.mutate(kind)} />;
  if (refusal !== null) return <Band tone="deny" icon="key" role="alert" title={`${refusal.title}.`} action={buttons}>{refusal.detail} No key was enrolled. {refusal.fix}</Band>;
  if (view.waiting.length > 0 && !signs) {
    return <Band icon="key" title={`${view.waiting.length === 1 ? 'Your key waits' : 'Your keys wait'} for an owner’s countersignature.`} action={buttons}>An owner signs {view.waiting.length === 1 ? 'it' : 'them'} in under Settings. Until then you can deny.</Band>;
  }
  if (signs) return <Band icon="key" role="note" title="Add another key." action={buttons}>One that you have signs that the new one is yours too; an owner signs it in.</Band>;
  return (
    <Band tone="warn" icon="key" title="No key of yours can sign here." action={buttons}>
      A passkey asks you each time, on your device or a security key. A browser key lives in this browser profile, at this address; clearing the site’s data deletes it.
    </Band>
  );
}
