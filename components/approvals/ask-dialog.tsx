'use client';

import { useId, useState, type KeyboardEvent } from 'react';

import { Band } from '@/components/ui/band';
import { Button } from '@/components/ui/button';
import { Dialog } from '@/components/ui/dialog';
import { Field, TextArea } from '@/components/ui/field';
import { Icon } from '@/components/ui/icon';
import { mostQuestions, questionLength } from '@/lib/approvals/asked-back';
import { counted } from '@/lib/approvals/view-text';
import type { ShownFault } from '@/lib/contracts/console/action-result';
import type { ApprovalDetail, AskBackInput } from '@/lib/contracts/console/approvals';

import { faultWords } from './fault-words';

interface AskDialogProps {
  readonly detail: ApprovalDetail;
  readonly busy: boolean;
  readonly fault: ShownFault | null;
  readonly onAsk: (input: AskBackInput) => void;
  readonly onClose: () => void;
}

/** A question instead of a decision: the request ends, and people are asked anew once it is answered. Needs no key. */
export function AskDialog({ detail, busy, fault, onAsk, onClose }: AskDialogProps) {
  const form = useId();
  const [text, setText] = useState('');
  const question = text.trim();
  const gate = question === '' ? 'Question needed' : undefined;
  const left = mostQuestions - detail.questions - 1;

  function ask() {
    if (!busy && gate === undefined) onAsk({ approval: detail.id, question });
  }
  function keys(event: KeyboardEvent) {
    if (event.key !== 'Enter' || !(event.metaKey || event.ctrlKey)) return;
    event.preventDefault();
    ask();
  }

  return (
    <Dialog
      open
      onOpenChange={(open) => { if (!open) onClose(); }}
      busy={busy}
      title="Ask back"
      description="Nothing is decided. The action waits for the answer; with it policy decides again, and people are asked anew. Without one it is denied."
      footer={
        <>
          <Button onClick={onClose}>Back <kbd>Esc</kbd></Button>
          <Button kind="primary" type="submit" form={form} gatedBy={gate} offBecause={busy ? 'Asking' : undefined} icon={<Icon name="person" />}>Ask <kbd aria-hidden>Ctrl ↵</kbd></Button>
        </>
      }
    >
      <form id={form} onKeyDown={keys} onSubmit={(event) => { event.preventDefault(); ask(); }}>
        <Field
          label="What do you want to know?"
          hint={`The person it is for, the orchestrator and the agent read it; the first two may answer. ${left === 0 ? 'It is the last question about this action.' : `${counted(left, 'more question')} can be asked about this action.`}`}
        >
          {(control) => <TextArea {...control} rows={3} maxLength={questionLength} value={text} onChange={(event) => setText(event.target.value)} />}
        </Field>
        {detail.votes.length === 0 ? null : <p className="meta2">Signatures so far stay recorded, and do not count for what is asked anew.</p>}
        {fault === null ? null : <Band tone="deny" icon="stale" role="alert" title={faultWords(fault).title}>{faultWords(fault).rest}</Band>}
      </form>
    </Dialog>
  );
}
