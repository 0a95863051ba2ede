'use client';

import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';

import { lowerLabel } from '@/app/actions/labels';
import { ExactBytes } from '@/components/signing/exact-bytes';
import { NoKeyHere } from '@/components/signing/no-key-here';
import { SignDialog } from '@/components/signing/sign-dialog';
import { SigningKeyLine } from '@/components/signing/signing-key-line';
import { Digest } from '@/components/ui/digest';
import { Field, Select, TextArea } from '@/components/ui/field';
import { StatementList } from '@/components/ui/statement-list';
import { UntrustedText } from '@/components/ui/untrusted-text';
import { loweringSchema, signLowering, type LoweringStatement } from '@/lib/approvals/lowering';
import { actionValue, refusalOf } from '@/lib/client/action-fault';
import { freshNonce } from '@/lib/client/fresh-nonce';
import type { SigningKey } from '@/lib/client/key-from-file';
import { useLive } from '@/lib/client/live-provider';
import { queryKeys } from '@/lib/client/query-keys';
import { signHere } from '@/lib/client/sign-here';
import { useSigningKey } from '@/lib/client/use-signing-key';
import { labelLevels, levelRank } from '@/lib/context/label-ledger';
import type { SessionLabelsView } from '@/lib/contracts/console/labels';
import { asJson } from '@/lib/shared/as-json';
import { canonicalJson } from '@/lib/shared/canonical-json';
import { envelopeText } from '@/lib/shared/dsse';
import type { PersonId } from '@/lib/shared/ids';

/** The lowest level stays. */
export const canBeLowered = (label: string): boolean => levelRank(label) !== 0;

interface LowerDialogProps {
  /** As it was when the dialog opened: the statement rests on exactly that state. */
  readonly view: SessionLabelsView;
  readonly label: string;
  readonly person: PersonId;
  readonly onClose: () => void;
}

/** Shows exactly what would be signed to lower a label, and why it has to be. */
export function LowerDialog({ view, label, person, onClose }: LowerDialogProps) {
  const rank = levelRank(label);
  const lower = labelLevels.slice(0, Math.max(0, rank));
  const [draft] = useState(() => ({ nonce: freshNonce(), signed_at: new Date().toISOString() }));
  const [to, setTo] = useState<string | null>(lower.at(-1) ?? null);
  const [reason, setReason] = useState('');
  const live = useLive().state !== 'lost';
  const client = useQueryClient();
  const keys = useSigningKey(person, 'critical');
  const { key } = keys;
  const statement: LoweringStatement | null = key === undefined ? null : {
    schema: loweringSchema, session: view.session, label, to, context: { head: view.head, seq: view.seq }, reason: reason.trim(),
    nonce: draft.nonce, signer: { person, key: key.entry.id, key_kind: key.entry.kind }, signed_at: draft.signed_at,
  };
  const signing = useMutation({
    mutationFn: async ({ signed, by }: { readonly signed: LoweringStatement; readonly by: SigningKey }) => {
      const envelope = await signHere(by, (signer) => signLowering(signed, signer));
      return actionValue(await lowerLabel({ session: signed.session, envelope: envelopeText(envelope) }));
    },
    onSettled: () => client.invalidateQueries({ queryKey: queryKeys.sessions }),
    onSuccess: onClose,
  });
  const gate = statement === null ? 'No key here' : reason.trim() === '' ? 'Reason needed' : undefined;

  return (
    <SignDialog
      title={`Lower ${label}`} description="For this session alone, from now on. Whatever shows it again raises it again."
      does="Sign and lower" gate={gate} busy={signing.isPending} live={live} fault={refusalOf(signing.error)} nothing="Nothing was lowered."
      onSign={() => { if (statement !== null && key !== undefined) signing.mutate({ signed: statement, by: key }); }}
      onClose={onClose}
    >
      {rank < 0 ? null : (
        <Field label="To">{(control) => <Select {...control} value={to ?? ''} onChange={(event) => setTo(event.target.value)}>{lower.map((level) => <option key={level} value={level}>{level}</option>)}</Select>}</Field>
      )}
      <Field label="Reason" hint="Why the session need not be treated so. It is part of what you sign.">
        {(control) => <TextArea {...control} rows={2} maxLength={4000} value={reason} onChange={(event) => setReason(event.target.value)} />}
      </Field>
      {keys.asked && key === undefined ? <NoKeyHere person={person} fault={keys.fault} why={keys.why} kinds={keys.kinds} onFile={keys.load} /> : null}
      <StatementList lines={[
        { label: 'I lower', value: <><b>{label}</b>{to === null ? ', taking it off' : <> to <b>{to}</b></>}</> },
        { label: 'In', value: <>session <code>{view.session}</code></> },
        { label: 'Because', value: reason.trim() === '' ? '…' : <UntrustedText text={reason.trim()} /> },
        { label: 'On its step', value: <>{view.seq}, <Digest value={view.head} length="short" />; if it goes on before you sign, nothing is lowered</> },
      ]} />
      {key === undefined ? null : <SigningKeyLine signing={keys} />}
      {statement === null ? null : <ExactBytes text={canonicalJson(asJson(statement))} />}
    </SignDialog>
  );
}
