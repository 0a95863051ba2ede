'use client';

import { useState } from 'react';

import { Digest } from '@/components/ui/digest';
import { StatementList } from '@/components/ui/statement-list';
import { UntrustedText } from '@/components/ui/untrusted-text';
import { Field, TextArea } from '@/components/ui/field';
import { PersonQuote } from '@/components/ui/quote';
import { answerLength } from '@/lib/approvals/asked-back';
import { suppliedFactSchema, type SuppliedFact } from '@/lib/approvals/supplied-fact';
import { refusalOf } from '@/lib/client/action-fault';
import { factFrom } from '@/lib/client/fact-input';
import { freshNonce } from '@/lib/client/fresh-nonce';
import { sha256 } from '@/lib/client/hash';
import { useLive } from '@/lib/client/live-provider';
import { useSigningKey } from '@/lib/client/use-signing-key';
import type { DeferralItem, MissingFact } from '@/lib/contracts/console/deferrals';
import { contentItem, saltBytes } from '@/lib/ledger/content';
import { asJson } from '@/lib/shared/as-json';
import { canonicalJson } from '@/lib/shared/canonical-json';
import type { FactType } from '@/lib/shared/fact-type';
import type { PersonId } from '@/lib/shared/ids';
import type { Json } from '@/lib/shared/json';

import { ExactBytes } from './exact-bytes';
import { FactValue } from './fact-value';
import { NoKeyHere } from './no-key-here';
import { SignDialog } from './sign-dialog';
import { SigningKeyLine } from './signing-key-line';
import { useSupplyFact } from './use-supply-fact';

/** A fact that somebody can be asked for, and as what the viewer answers it. */
export type AnswerableFact = MissingFact & { readonly subject: string; readonly attribute: string; readonly answer_as: string };

export const isAnswerable = (fact: MissingFact): fact is AnswerableFact => fact.answer_as !== null && fact.subject !== null && fact.attribute !== null;

interface SupplyDialogProps {
  readonly item: Pick<DeferralItem, 'id' | 'session' | 'title' | 'agent' | 'human' | 'impact' | 'question'>;
  readonly fact: AnswerableFact;
  readonly person: PersonId;
  readonly onSupplied: () => void;
  readonly onClose: () => void;
}

/** Answers one missing fact with a signature. Mounted when it opens, so that nonce, salt and time are those of this look. */
export function SupplyDialog({ item, fact, person, onSupplied, onClose }: SupplyDialogProps) {
  const [draft] = useState(() => ({ nonce: freshNonce(), signed_at: new Date().toISOString(), salt: crypto.getRandomValues(new Uint8Array(saltBytes)) }));
  const [type, setType] = useState<FactType>(fact.type ?? 'string');
  const [typed, setTyped] = useState('');
  const [none, setNone] = useState(false);
  const live = useLive().state !== 'lost';
  const keys = useSigningKey(person, item.impact);
  const { key } = keys;
  const question = item.question?.attribute === fact.attribute ? item.question : null;
  const supplying = useSupplyFact();
  const value = none ? undefined : factFrom(type, typed);
  const content = value === undefined ? null : contentItem(sha256, draft.salt, value);
  const statement: SuppliedFact | null = key === undefined ? null : {
    schema: suppliedFactSchema, session: item.session, deferral: item.id, subject: fact.subject, name: fact.attribute, source: fact.answer_as,
    value_digest: content?.digest ?? null, nonce: draft.nonce, signer: { person, key: key.entry.id, key_kind: key.entry.kind }, signed_at: draft.signed_at,
  };
  const said = value === undefined ? '…' : <b><UntrustedText text={shown(value)} /></b>;
  const gate = statement === null ? 'No key here' : !none && content === null ? 'Value needed' : undefined;

  return (
    <SignDialog
      title={question === null ? 'Supply this fact' : 'Answer this question'}
      description={question === null
        ? 'Recorded as a fact from you. Supplying it is not approving the action: policy decides again, and may still deny it.'
        : 'Your words go before the people who decide, and count as yours. Answering is not approving: they may still deny it.'}
      does={question === null ? 'Sign and supply' : 'Sign and answer'} gate={gate} busy={supplying.isPending} live={live} fault={refusalOf(supplying.error)} nothing="Nothing was recorded."
      onSign={() => { if (statement !== null && key !== undefined) supplying.mutate({ fact: statement, content, key }, { onSuccess: onSupplied }); }}
      onClose={onClose}
    >
      {question === null
        ? <FactValue label={`${fact.attribute} of ${fact.subject}`} type={type} fixed={fact.type !== null} typed={typed} onType={(next) => { setType(next); setTyped(''); }} onChange={setTyped} />
        : (
          <>
            <PersonQuote by={question.by_name} note="asks back" text={question.text} />
            <Field label="Your answer">{(control) => <TextArea {...control} rows={3} maxLength={answerLength} value={typed} onChange={(event) => setTyped(event.target.value)} />}</Field>
          </>
        )}
      <label className="tick-line"><input className="check" type="checkbox" checked={none} onChange={(event) => setNone(event.target.checked)} /> {question === null ? 'There is none, and there will be none' : 'There is no answer to this'}</label>
      {keys.asked && key === undefined ? <NoKeyHere person={person} fault={keys.fault} why={keys.why} kinds={keys.kinds} onFile={keys.load} /> : null}
      <StatementList lines={[
        question === null
          ? { label: 'I say', value: <><UntrustedText text={fact.attribute} /> of <code><UntrustedText text={fact.subject} /></code> {none ? 'does not exist' : <>is {said}</>}</> }
          : { label: 'I answer', value: none ? 'There is no answer to this.' : said },
        { label: 'As', value: fact.answer_as === 'requester' ? 'the person the session is for' : <>one of <UntrustedText text={fact.answer_as.replace(/^group:/, '')} /></> },
        { label: 'For', value: <><code>{item.title}</code>, asked by <UntrustedText text={item.agent} /> on behalf of <UntrustedText text={item.human} /></> },
        { label: 'Value', value: content === null ? '–' : <Digest value={content.digest} /> },
      ]} />
      {key === undefined ? null : <SigningKeyLine signing={keys} />}
      {statement === null ? null : <ExactBytes text={canonicalJson(asJson(statement))} />}
    </SignDialog>
  );
}

const shown = (value: Json): string => (typeof value === 'string' ? value : canonicalJson(value));
