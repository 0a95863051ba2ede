'use client';

import { useQueryClient } from '@tanstack/react-query';

import type { BrowserKey } from '@/lib/client/browser-keys';
import { refusalOf } from '@/lib/client/action-fault';
import { queryKeys } from '@/lib/client/query-keys';
import type { ApprovalDetail, AskedBackView, EditedView, VoteOutcome } from '@/lib/contracts/console/approvals';

import { ApproveDialog } from './approve-dialog';
import { AskDialog } from './ask-dialog';
import { DenyDialog } from './deny-dialog';
import { EditDialog } from './edit-dialog';
import { ExtendDialog } from './extend-dialog';
import type { Standing } from './standing';
import type { useDecide } from './use-decide';

export type OpenDialog = 'approve' | 'extend' | 'edit' | 'deny' | 'ask' | null;

/** What this person has just done, and what came of it. */
export type Decided = { readonly id: string; readonly title: string } & (
  | { readonly verdict: 'approve' | 'deny'; readonly outcome: VoteOutcome }
  | { readonly verdict: 'ask'; readonly outcome: AskedBackView }
  | { readonly verdict: 'edit'; readonly outcome: EditedView }
);

interface DecisionDialogsProps extends Pick<ReturnType<typeof useDecide>, 'signing' | 'extending' | 'editing' | 'denying' | 'asking'> {
  readonly dialog: OpenDialog;
  readonly onDialog: (dialog: OpenDialog) => void;
  readonly detail: ApprovalDetail;
  readonly standing: Standing;
  /** With which an extension or an edit is signed. */
  readonly signer: BrowserKey | undefined;
  readonly ticked: ReadonlySet<string>;
  readonly live: boolean;
  readonly onDecided: (decided: Decided) => void;
}

/** Signing, extending, editing, denying and asking back. A refusal stays in the dialog, in words; closing it leads back to the request as it is now. */
export function DecisionDialogs({ dialog, onDialog, detail, standing, signer, ticked, live, signing, extending, editing, denying, asking, onDecided }: DecisionDialogsProps) {
  const client = useQueryClient();
  const title = `${detail.held.action.tool}.${detail.held.action.operation}`;

  function close() {
    signing.reset();
    extending.reset();
    editing.reset();
    denying.reset();
    asking.reset();
    onDialog(null);
    void client.invalidateQueries({ queryKey: queryKeys.approval(detail.id) });
  }
  function done(verdict: 'approve' | 'deny') {
    return (outcome: VoteOutcome) => {
      onDialog(null);
      onDecided({ id: detail.id, title, verdict, outcome });
    };
  }

  if (dialog === 'approve' && standing.kind === 'ready') {
    return (
      <ApproveDialog
        detail={detail} signers={standing.keys} ticked={ticked} live={live} busy={signing.isPending} fault={refusalOf(signing.error)}
        onSign={(vote) => signing.mutate(vote, { onSuccess: done('approve') })} onClose={close}
      />
    );
  }
  if (dialog === 'ask') {
    const asked = (outcome: AskedBackView) => {
      onDialog(null);
      onDecided({ id: detail.id, title, verdict: 'ask', outcome });
    };
    return <AskDialog detail={detail} busy={asking.isPending} fault={refusalOf(asking.error)} onAsk={(input) => asking.mutate(input, { onSuccess: asked })} onClose={close} />;
  }
  if (dialog === 'edit' && signer) {
    const edited = (outcome: EditedView) => {
      onDialog(null);
      onDecided({ id: detail.id, title, verdict: 'edit', outcome });
    };
    return <EditDialog detail={detail} signer={signer} live={live} busy={editing.isPending} fault={refusalOf(editing.error)} onSign={(signed) => editing.mutate(signed, { onSuccess: edited })} onClose={close} />;
  }
  if (dialog === 'extend' && signer) {
    return (
      <ExtendDialog
        detail={detail} signer={signer} live={live} busy={extending.isPending} fault={refusalOf(extending.error)}
        onSign={(extension) => extending.mutate(extension, { onSuccess: close })} onClose={close}
      />
    );
  }
  if (dialog !== 'deny') return null;
  return <DenyDialog detail={detail} busy={denying.isPending} fault={refusalOf(denying.error)} onDeny={(input) => denying.mutate(input, { onSuccess: done('deny') })} onClose={close} />;
}
