'use client';

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';

import { prepareSwitchRelease, releaseSwitch } from '@/app/actions/switches';
import { ExactBytes } from '@/components/signing/exact-bytes';
import { NoKeyHere } from '@/components/signing/no-key-here';
import { SignDialog } from '@/components/signing/sign-dialog';
import { SigningKeyLine } from '@/components/signing/signing-key-line';
import { Field, TextArea } from '@/components/ui/field';
import { LoadingRows } from '@/components/ui/pane-states';
import { StatementList } from '@/components/ui/statement-list';
import { Time } from '@/components/ui/time';
import { UntrustedText } from '@/components/ui/untrusted-text';
import { actionValue, refusalOf } from '@/lib/client/action-fault';
import type { SigningKey } from '@/lib/client/key-from-file';
import { useLive } from '@/lib/client/live-provider';
import { queryKeys } from '@/lib/client/query-keys';
import { signHere } from '@/lib/client/sign-here';
import { signDocument } from '@/lib/client/sign-document';
import { useSigningKey } from '@/lib/client/use-signing-key';
import type { PreparedRelease, SwitchView } from '@/lib/contracts/console/agents';
import type { PersonId } from '@/lib/shared/ids';

import { coveredBy } from './covered-by';

interface ReleaseDialogProps {
  readonly thrown: SwitchView;
  readonly person: PersonId;
  readonly onClose: () => void;
}

/** An owner’s signature over exactly the throw that it ends. */
export function ReleaseDialog({ thrown, person, onClose }: ReleaseDialogProps) {
  const { scope, subject } = thrown;
  const client = useQueryClient();
  const [reason, setReason] = useState('');
  const live = useLive().state !== 'lost';
  const own = useSigningKey(person, 'policy');
  const { key, asked, why, kinds, fault: keyFault, load } = own;
  const prepared = useQuery({
    queryKey: ['switch-release', scope, subject],
    queryFn: async () => actionValue(await prepareSwitchRelease({ scope, subject })),
    staleTime: 0, gcTime: 0, retry: false, refetchOnWindowFocus: false,
  });
  const releasing = useMutation({
    mutationFn: async ({ document, by }: { readonly document: PreparedRelease['document']; readonly by: SigningKey }) =>
      actionValue(await releaseSwitch({ scope, subject, reason: reason.trim(), envelope: await signHere(by, (signer) => signDocument(document, signer)) })),
    onSettled: () => Promise.all([queryKeys.agents, queryKeys.status, queryKeys.overview].map((queryKey) => client.invalidateQueries({ queryKey }))),
    onSuccess: onClose,
  });
  const { data } = prepared;
  const gate = reason.trim() === '' ? 'Say why' : key === undefined ? 'No key here' : data === undefined ? 'Preparing' : undefined;
  return (
    <SignDialog
      title={`Release ${coveredBy(thrown)}?`} description="From then on policy decides again. What was stopped stays stopped: agents propose it anew."
      does="Sign and release" gate={gate} busy={releasing.isPending} live={live} fault={refusalOf(prepared.error) ?? refusalOf(releasing.error)} nothing="Nothing was released."
      onSign={() => { if (data !== undefined && key !== undefined) releasing.mutate({ document: data.document, by: key }); }}
      onClose={onClose}
    >
      <Field label="Reason" hint="It goes into the receipt.">{(control) => <TextArea {...control} rows={2} maxLength={4000} value={reason} onChange={(event) => setReason(event.target.value)} />}</Field>
      {asked && key === undefined ? <NoKeyHere person={person} fault={keyFault} why={why} kinds={kinds} onFile={load} /> : null}
      <StatementList lines={[
        { label: 'Release', value: coveredBy(thrown) },
        { label: 'Thrown by', value: <>{thrown.thrown_by}, <Time at={thrown.thrown_at} form="date" /></> },
        { label: 'Because', value: thrown.reason === null ? 'no receipt says why' : <UntrustedText text={thrown.reason} /> },
      ]} />
      {data === undefined ? (prepared.error === null ? <LoadingRows what="the release" rows={1} /> : null) : <ExactBytes text={data.document.text} />}
      {key === undefined ? null : <SigningKeyLine signing={own} />}
    </SignDialog>
  );
}
