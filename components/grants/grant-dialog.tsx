'use client';

import { useId, useState } from 'react';

import { Band } from '@/components/ui/band';
import { Button } from '@/components/ui/button';
import { Dialog } from '@/components/ui/dialog';
import { Field, Input, Select, TextArea } from '@/components/ui/field';
import { UntrustedText } from '@/components/ui/untrusted-text';
import { ProposeDialog } from '@/components/signing/propose-dialog';
import { scopeWords } from '@/components/signing/scope-words';
import { refusalOf } from '@/lib/client/action-fault';
import type { GrantsView, GrantView } from '@/lib/contracts/console/grants';
import type { PersonId } from '@/lib/shared/ids';

import { emptyDraft, inputOf, narrowedDraft, spans, type GrantDraft, type Span } from './grant-draft';
import { GrantSignDialog } from './grant-sign-dialog';
import { ScopeFields } from './scope-fields';
import { useGrants } from './use-grants';

const spanWords: { readonly [S in Span]: string } = { hour: 'an hour', shift: '8 hours', day: 'a day', week: '7 days', month: '30 days' };
const isSpan = (value: string): value is Span => Object.hasOwn(spans, value);

interface GrantDialogProps {
  readonly view: GrantsView;
  /** The wider grant that is narrowed; null: a new one. */
  readonly wide: GrantView | null;
  readonly person: PersonId;
  /** Somebody asks for it, and is told which proposal it became. Left out: an owner gives it. */
  readonly onProposed?: ((proposal: string) => void) | undefined;
  readonly onClose: () => void;
}

/** Fills a grant in; then the document that says so, to sign. */
export function GrantDialog({ view, wide, person, onProposed, onClose }: GrantDialogProps) {
  const form = useId();
  const [draft, setDraft] = useState<GrantDraft>(() => (wide === null ? { ...emptyDraft, agent: view.agents[0] ?? '', key: keysOf(view, null)[0]?.key ?? '' } : narrowedDraft(wide)));
  const set = (part: Partial<GrantDraft>) => setDraft((before) => ({ ...before, ...part }));
  const { preparing } = useGrants();
  if (preparing.data && onProposed) return <ProposeDialog person={person} proposed={{ target: 'grant', text: preparing.data.document.text, format: 'json' }} title="Propose this grant" onProposed={onProposed} onClose={onClose} />;
  if (preparing.data) return <GrantSignDialog document={preparing.data.document} neededSigners={preparing.data.needed_signers} person={person} onClose={onClose} />;
  const fault = refusalOf(preparing.error);
  const issue = (path: string) => fault?.issues.find((one) => one.path === path || one.path.startsWith(`${path}.`))?.message;
  const kept = wide === null ? [] : scopeWords(wide.scope);
  return (
    <Dialog
      open busy={preparing.isPending} title={onProposed ? 'Propose a grant' : wide === null ? 'Give a grant' : 'Narrow this grant'}
      description={wide === null ? 'One agent, one tool, so many uses, until an end. Needed where policy says “grant: required”.' : 'A narrower one takes its place. It keeps every limit and gives no more uses or time than are left.'}
      onOpenChange={(open) => { if (!open) onClose(); }}
      footer={<><Button onClick={onClose}>Back <kbd>Esc</kbd></Button><Button kind="primary" type="submit" form={form} offBecause={preparing.isPending ? 'Preparing' : undefined}>Go on to sign</Button></>}
    >
      <form id={form} onSubmit={(event) => { event.preventDefault(); if (!preparing.isPending) preparing.mutate({ input: inputOf(draft, Date.now(), wide), asks: onProposed !== undefined }); }}>
        <Field label="Agent">
          {(control) => <Select {...control} required disabled={wide !== null} value={draft.agent} onChange={(event) => set({ agent: event.target.value })}>{(wide === null ? view.agents : [wide.agent]).map((agent) => <option key={agent} value={agent}>{agent}</option>)}</Select>}
        </Field>
        <Field label="May use" hint="First what the policy in force asks a grant for; for the others a grant changes nothing.">
          {(control) => <Select {...control} required value={draft.key} onChange={(event) => set({ key: event.target.value, rows: [] })}>{keysOf(view, wide).map(({ key, label }) => <option key={key} value={key}>{label}</option>)}</Select>}
        </Field>
        {kept.length === 0 ? null : <p className="meta2">Stays: {kept.map((word, at) => <span key={word}>{at === 0 ? '' : '; '}<UntrustedText text={word} /></span>)}</p>}
        <ScopeFields rows={draft.rows} parameters={parametersOf(view, draft.key)} issue={issue} onChange={(rows) => set({ rows })} />
        <div className="two-fields">
          <Field label="Uses" hint={wide === null ? undefined : `${wide.uses - wide.used} are left.`} error={issue('uses')}>{(control) => <Input {...control} type="number" min={1} max={wide === null ? 10_000 : wide.uses - wide.used} required value={draft.uses} onChange={(event) => set({ uses: event.target.value })} />}</Field>
          <Field label="Ends after" hint={wide === null ? undefined : 'No later than the wider one.'}>
            {(control) => <Select {...control} value={draft.span} onChange={(event) => { if (isSpan(event.target.value)) set({ span: event.target.value }); }}>{Object.entries(spanWords).map(([span, words]) => <option key={span} value={span}>{words}</option>)}</Select>}
          </Field>
        </div>
        {onProposed ? null : <Field label="Reason" hint="It is signed, and goes into the receipt." error={issue('reason')}>{(control) => <TextArea {...control} required rows={2} maxLength={4000} value={draft.reason} onChange={(event) => set({ reason: event.target.value })} />}</Field>}
        {fault === null ? null : <Band tone="deny" icon="stale" role="alert" title={`${fault.title}.`}>{fault.detail} Nothing was {onProposed ? 'proposed' : 'granted'}. {fault.fix}</Band>}
      </form>
    </Dialog>
  );
}

/** Operations, those that need a grant first, and each tool as a whole; of the wider grant only what it gives. */
function keysOf({ operations }: GrantsView, wide: GrantView | null): readonly { readonly key: string; readonly label: string }[] {
  const given = operations.filter(({ tool, operation }) => wide === null || (tool === wide.tool && (wide.operation === null || operation === wide.operation)));
  const single = given.map(({ tool, operation, needs }) => ({ key: `${tool}.${operation}`, label: `${tool}.${operation}${needs ? ' (needs a grant)' : ''}` }));
  const whole = [...new Set(given.map(({ tool }) => tool))].map((tool) => ({ key: `${tool}.*`, label: `${tool}: all operations` }));
  return wide === null || wide.operation === null ? (wide === null ? [...single, ...whole] : [...whole, ...single]) : single;
}

function parametersOf({ operations }: GrantsView, key: string): readonly string[] {
  const [tool, wanted] = [key.slice(0, key.lastIndexOf('.')), key.slice(key.lastIndexOf('.') + 1)];
  return [...new Set(operations.filter((one) => one.tool === tool && (wanted === '*' || one.operation === wanted)).flatMap(({ parameters }) => parameters))];
}
