'use client';

import { useState } from 'react';

import { EditedDiff } from '@/components/held/edited-diff';
import { ItemTitle } from '@/components/held/item-title';
import { ExactBytes } from '@/components/signing/exact-bytes';
import { SignDialog } from '@/components/signing/sign-dialog';
import { Digest } from '@/components/ui/digest';
import { Field, TextArea } from '@/components/ui/field';
import { StatementList } from '@/components/ui/statement-list';
import { UntrustedText } from '@/components/ui/untrusted-text';
import { editSchema, type EditStatement } from '@/lib/approvals/edit';
import { editReasonLength } from '@/lib/approvals/parse-edit';
import type { BrowserKey } from '@/lib/client/browser-keys';
import { editedParameters, editFields, fieldValue, type EditField } from '@/lib/client/edit-fields';
import { freshNonce } from '@/lib/client/fresh-nonce';
import { sha256 } from '@/lib/client/hash';
import type { ShownFault } from '@/lib/contracts/console/action-result';
import type { ApprovalDetail } from '@/lib/contracts/console/approvals';
import { contentItem, saltBytes } from '@/lib/ledger/content';
import { asJson } from '@/lib/shared/as-json';
import { canonicalJson } from '@/lib/shared/canonical-json';

import type { Editing } from './use-decide';

interface EditDialogProps {
  readonly detail: ApprovalDetail;
  readonly signer: BrowserKey;
  readonly busy: boolean;
  readonly fault: ShownFault | null;
  readonly live: boolean;
  readonly onSign: (editing: Editing) => void;
  readonly onClose: () => void;
}

/** Other values for what would run, compared with what was held before they are signed. Mounted when it opens, so that nonce, salt and time are those of this look. */
export function EditDialog({ detail, signer, busy, fault, live, onSign, onClose }: EditDialogProps) {
  const { held } = detail;
  const before = held.transformed?.parameters ?? held.action.parameters;
  const [draft] = useState(() => ({ nonce: freshNonce(), signed_at: new Date().toISOString(), salt: crypto.getRandomValues(new Uint8Array(saltBytes)) }));
  const [fields, setFields] = useState(() => editFields(before));
  const [reason, setReason] = useState('');
  const parameters = editedParameters(fields);
  const text = parameters && canonicalJson(parameters);
  const isChanged = text !== null && [before, held.action.parameters].every((known) => canonicalJson(known) !== text);
  const content = parameters && contentItem(sha256, draft.salt, parameters);
  const statement: EditStatement | null = content && {
    schema: editSchema, request: detail.id, basis_digest: detail.basis_digest, parameters_digest: content.digest, nonce: draft.nonce, signed_at: draft.signed_at,
    signer: { person: signer.person, key: signer.entry.id, key_kind: signer.entry.kind }, ...(reason.trim() === '' ? {} : { reason: reason.trim() }),
  };
  const gate = statement === null ? 'A value is no JSON' : isChanged ? undefined : 'Nothing is changed';
  const change = (name: string, to: Partial<EditField>) => setFields((all) => all.map((field) => (field.name === name ? { ...field, ...to } : field)));

  return (
    <SignDialog
      title="Edit what would run"
      description="It approves nothing. Policy decides the edited action from the start, and it takes the place of this one; people sign anew where policy asks for them."
      does="Sign the edit" gate={gate} busy={busy} live={live} fault={fault} nothing="Nothing was changed."
      onSign={() => { if (statement !== null && content !== null) onSign({ statement, content, key: signer }); }}
      onClose={onClose}
    >
      {fields.map((field) => <Parameter key={field.name} field={field} onChange={(to) => change(field.name, to)} />)}
      <Field label="Why, if you like" hint="The agent and the people who decide read it. It is part of what you sign.">
        {(control) => <TextArea {...control} rows={2} maxLength={editReasonLength} value={reason} onChange={(event) => setReason(event.target.value)} />}
      </Field>
      {parameters === null || !isChanged ? null : <EditedDiff parameters={held.action.parameters} transformed={held.transformed?.parameters ?? null} edited={parameters} by="you" />}
      <StatementList
        lines={[
          { label: 'I edit', value: <ItemTitle held={held} /> },
          { label: 'For', value: <><UntrustedText text={held.identity.agent} />, on behalf of <UntrustedText text={held.identity.human} /></> },
          { label: 'Values', value: content === null ? '–' : <Digest value={content.digest} /> },
          { label: 'Basis', value: <Digest value={detail.basis_digest} /> },
        ]}
      />
      {detail.votes.length === 0 ? null : <p className="meta2">Signatures so far stay recorded, and do not count for the edited action.</p>}
      {statement === null ? null : <ExactBytes text={canonicalJson(asJson(statement))} />}
    </SignDialog>
  );
}

function Parameter({ field, onChange }: { readonly field: EditField; readonly onChange: (to: Partial<EditField>) => void }) {
  const { name, kind, text, out } = field;
  const value = fieldValue(field);
  return (
    <>
      <Field label={name} hint={kind === 'json' ? 'As JSON.' : undefined} error={out || value.ok ? undefined : value.error.detail}>
        {(control) => <TextArea {...control} className="mono" rows={Math.min(8, text.split('\n').length)} spellCheck={false} disabled={out} value={text} onChange={(event) => onChange({ text: event.target.value })} />}
      </Field>
      <label className="tick-line"><input className="check" type="checkbox" checked={out} onChange={(event) => onChange({ out: event.target.checked })} /> Leave out <code><UntrustedText text={name} /></code></label>
    </>
  );
}
