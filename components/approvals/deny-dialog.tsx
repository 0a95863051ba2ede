'use client';

import { useId, useState, type KeyboardEvent } from 'react';

import { Band } from '@/components/ui/band';
import { Button } from '@/components/ui/button';
import { DecisionMark } from '@/components/ui/decision-mark';
import { Dialog } from '@/components/ui/dialog';
import { Field, TextArea } from '@/components/ui/field';
import { ReasonList } from '@/components/ui/reason-list';
import { guidanceCodes, type GuidanceCode } from '@/lib/approvals/vote';
import type { ShownFault } from '@/lib/contracts/console/action-result';
import { guidanceTexts, type ApprovalDetail, type DenyInput } from '@/lib/contracts/console/approvals';

import { faultWords } from './fault-words';

interface DenyDialogProps {
  readonly detail: ApprovalDetail;
  readonly busy: boolean;
  readonly fault: ShownFault | null;
  readonly onDeny: (input: DenyInput) => void;
  readonly onClose: () => void;
}

const isGuidanceCode = (value: string): value is GuidanceCode => guidanceCodes.some((code) => code === value);

/** One denial ends it, and the agent is told why. Needs no key. */
export function DenyDialog({ detail, busy, fault, onDeny, onClose }: DenyDialogProps) {
  const form = useId();
  const [code, setCode] = useState<GuidanceCode | null>(null);
  const [text, setText] = useState('');
  const words = text.trim();
  const gate = code === null ? 'Pick a reason' : code === 'other' && words === '' ? 'Say why' : undefined;

  function deny() {
    if (busy || code === null || gate !== undefined) return;
    onDeny({ approval: detail.id, code, reason: words === '' ? guidanceTexts[code] : words });
  }
  function keys(event: KeyboardEvent) {
    if (event.key !== 'Enter' || !(event.metaKey || event.ctrlKey)) return;
    event.preventDefault();
    deny();
  }

  const approved = detail.votes.filter(({ verdict }) => verdict === 'approve').map(({ name }) => name);
  return (
    <Dialog
      open
      onOpenChange={(open) => { if (!open) onClose(); }}
      busy={busy}
      title="Deny this action"
      description={approved.length === 0 ? 'One denial is enough. Nothing runs, and the agent gets your reason.' : `One denial is enough. The approval of ${approved.join(' and ')} stays recorded and has no effect.`}
      footer={
        <>
          <Button onClick={onClose}>Back <kbd>Esc</kbd></Button>
          <Button kind="deny-solid" type="submit" form={form} gatedBy={gate} offBecause={busy ? 'Denying' : undefined} icon={<DecisionMark decision="DENY" label={null} />}>Deny <kbd aria-hidden>Ctrl ↵</kbd></Button>
        </>
      }
    >
      <form id={form} onKeyDown={keys} onSubmit={(event) => { event.preventDefault(); deny(); }}>
        <ReasonList
          legend="Reason, sent to the agent"
          name="guidance"
          reasons={guidanceCodes.map((value) => ({ value, label: guidanceTexts[value] }))}
          value={code}
          onChange={(value) => { if (isGuidanceCode(value)) setCode(value); }}
        />
        <Field label={code === 'other' ? 'In your words' : 'In your words, if there is more to say'} hint="The agent gets this text too. The same action again in this session is then denied at once.">
          {(control) => <TextArea {...control} rows={2} maxLength={4000} value={text} onChange={(event) => setText(event.target.value)} />}
        </Field>
        {fault === null ? null : <Band tone="deny" icon="stale" role="alert" title={faultWords(fault).title}>{faultWords(fault).rest}</Band>}
      </form>
    </Dialog>
  );
}
