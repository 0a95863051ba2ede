'use client';

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';

import { ExactBytes } from '@/components/signing/exact-bytes';
import { NoKeyHere } from '@/components/signing/no-key-here';
import { SignDialog } from '@/components/signing/sign-dialog';
import { SigningKeyLine } from '@/components/signing/signing-key-line';
import { Field, TextArea } from '@/components/ui/field';
import { LoadingRows } from '@/components/ui/pane-states';
import { StatementList, type StatementLine } from '@/components/ui/statement-list';
import { actionValue, refusalOf } from '@/lib/client/action-fault';
import type { SigningKey } from '@/lib/client/key-from-file';
import { useLive } from '@/lib/client/live-provider';
import { queryKeys } from '@/lib/client/query-keys';
import { signDocument } from '@/lib/client/sign-document';
import { signHere } from '@/lib/client/sign-here';
import { useSigningKey } from '@/lib/client/use-signing-key';
import type { ActionResult } from '@/lib/contracts/console/action-result';
import type { DocumentToSign } from '@/lib/contracts/console/set-up';
import type { PersonId } from '@/lib/shared/ids';

interface OwnersWordDialogProps {
  readonly person: PersonId;
  readonly title: string;
  readonly description: string;
  /** "Sign and release". */
  readonly does: string;
  /** What did not happen when it is refused. */
  readonly nothing: string;
  readonly lines: readonly StatementLine[];
  /** Names what is prepared, among all that is. */
  readonly about: readonly string[];
  readonly prepare: () => Promise<ActionResult<{ readonly document: DocumentToSign }>>;
  readonly send: (signed: { readonly reason: string; readonly envelope: string }) => Promise<ActionResult<unknown>>;
  readonly onClose: () => void;
}

/** An owner takes back what anybody may have stopped: with a reason, and a signature over exactly what ends. */
export function OwnersWordDialog({ person, title, description, does, nothing, lines, about, prepare, send, onClose }: OwnersWordDialogProps) {
  const client = useQueryClient();
  const [reason, setReason] = useState('');
  const live = useLive().state !== 'lost';
  const own = useSigningKey(person, 'policy');
  const { key, asked, why, kinds, fault: keyFault, load } = own;
  const prepared = useQuery({ queryKey: about, queryFn: async () => actionValue(await prepare()), staleTime: 0, gcTime: 0, retry: false, refetchOnWindowFocus: false });
  const sending = useMutation({
    mutationFn: async ({ document, by }: { readonly document: DocumentToSign; readonly by: SigningKey }) =>
      actionValue(await send({ reason: reason.trim(), envelope: await signHere(by, (signer) => signDocument(document, signer)) })),
    onSettled: () => Promise.all([queryKeys.agents, queryKeys.status, queryKeys.overview].map((queryKey) => client.invalidateQueries({ queryKey }))),
    onSuccess: onClose,
  });
  const { data } = prepared;
  const gate = reason.trim() === '' ? 'Say why' : key === undefined ? 'No key here' : data === undefined ? 'Preparing' : undefined;
  return (
    <SignDialog
      title={title} description={description} does={does} gate={gate} busy={sending.isPending} live={live} fault={refusalOf(prepared.error) ?? refusalOf(sending.error)} nothing={nothing}
      onSign={() => { if (data !== undefined && key !== undefined) sending.mutate({ document: data.document, by: key }); }}
      onClose={onClose}
    >
      <Field label="Reason" hint="It goes into the receipt.">{(control) => <TextArea {...control} rows={2} maxLength={4000} value={reason} onChange={(event) => setReason(event.target.value)} />}</Field>
      {asked && key === undefined ? <NoKeyHere person={person} fault={keyFault} why={why} kinds={kinds} onFile={load} /> : null}
      <StatementList lines={lines} />
      {data === undefined ? (prepared.error === null ? <LoadingRows what="the document" rows={1} /> : null) : <ExactBytes text={data.document.text} />}
      {key === undefined ? null : <SigningKeyLine signing={own} />}
    </SignDialog>
  );
}
