'use client';

import { useQuery } from '@tanstack/react-query';

import { enrolKey } from '@/app/actions/keys';
import { Band } from '@/components/ui/band';
import { Button } from '@/components/ui/button';
import { Digest } from '@/components/ui/digest';
import { Icon } from '@/components/ui/icon';
import { ErrorState, LoadingRows } from '@/components/ui/pane-states';
import { Section } from '@/components/ui/section';
import { Table, Th } from '@/components/ui/table';
import { Time } from '@/components/ui/time';
import { refusalOf } from '@/lib/client/action-fault';
import { shownFault } from '@/lib/client/parse-answer';
import { ownKeysQuery } from '@/lib/client/queries';
import { useDeviceKeys } from '@/lib/client/use-device-keys';
import { useEnrolment } from '@/lib/client/use-enrolment';
import type { OwnKeysView } from '@/lib/contracts/console/keys';
import { impacts } from '@/lib/shared/impact';
import type { PersonId } from '@/lib/shared/ids';

const kinds: Readonly<Record<string, string>> = { 'browser-ed25519': 'Browser key', passkey: 'Passkey', 'file-ed25519': 'File key' };

/** One’s own keys, which of them is in this browser, and a way to enrol it. */
export function OwnKeys({ person }: { readonly person: PersonId }) {
  const { data, error } = useQuery(ownKeysQuery());
  const device = useDeviceKeys(person);
  return (
    <Section title="Your keys" note="you sign approvals with them">
      {error === null ? null : <ErrorState title="Your keys could not be read." code={shownFault(error).code}>{shownFault(error).detail}</ErrorState>}
      {data === undefined || device === undefined ? (error === null ? <LoadingRows what="keys" rows={2} /> : null) : (
        <>
          <KeyTable view={data} here={device.map(({ entry }) => entry.id)} />
          <ThisBrowser person={person} view={data} here={device.map(({ entry }) => entry.id)} />
        </>
      )}
    </Section>
  );
}

function KeyTable({ view, here }: { readonly view: OwnKeysView; readonly here: readonly string[] }) {
  const rows = [...view.enrolled.map(({ id, kind }) => ({ id, kind, since: null })), ...view.waiting.map(({ key, kind, created_at }) => ({ id: key, kind, since: created_at }))];
  if (rows.length === 0) return <p className="meta2">You have no key. Denying needs none; approving does.</p>;
  return (
    <div className="scroll-x" tabIndex={0} role="group" aria-label="Your keys">
      <Table caption="Your keys">
        <thead><tr><Th>Key</Th><Th>Kind</Th><Th>Where</Th><Th>State</Th><Th>May sign</Th></tr></thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.id}>
              <td><Digest value={row.id} length="short" /></td>
              <td>{kinds[row.kind] ?? row.kind}</td>
              <td>{here.includes(row.id) ? <b>This browser</b> : 'Elsewhere'}</td>
              <td>{row.since === null ? 'In the signed roster' : <>Waits for an owner since <Time at={row.since} form="clock" /></>}</td>
              <td>{impacts.filter((impact) => view.may_sign[impact].includes(row.kind)).join(', ')}</td>
            </tr>
          ))}
        </tbody>
      </Table>
    </div>
  );
}

function ThisBrowser({ person, view, here }: { readonly person: PersonId; readonly view: OwnKeysView; readonly here: readonly string[] }) {
  const enrolment = useEnrolment(person, enrolKey);
  const refusal = refusalOf(enrolment.error);
  if (view.enrolled.some(({ id }) => here.includes(id))) return null;
  if (view.waiting.some(({ key }) => here.includes(key))) return <Band icon="key" title="This browser’s key waits for an owner’s countersignature.">An owner signs it in under Settings. Until then you can deny.</Band>;
  return (
    <Band
      tone="warn" icon="key" title="This browser holds no key of yours."
      action={<Button small onClick={() => enrolment.mutate('browser-ed25519')} offBecause={enrolment.isPending ? 'Enrolling' : undefined} icon={<Icon name="key" small />}>Make and enrol a key</Button>}
    >
      {refusal === null ? 'It is made here and can’t be copied out. It lives in this browser profile, at this address; clearing the site’s data deletes it.' : `${refusal.title}. ${refusal.detail} ${refusal.fix ?? ''}`}
    </Band>
  );
}
