'use client';

import { ExactBytes } from '@/components/signing/exact-bytes';
import { SignDialog } from '@/components/signing/sign-dialog';
import { SigningKeyLine } from '@/components/signing/signing-key-line';
import { Digest } from '@/components/ui/digest';
import { StatementList } from '@/components/ui/statement-list';
import { UntrustedText } from '@/components/ui/untrusted-text';
import type { useSigningKey } from '@/lib/client/use-signing-key';
import type { ShownFault } from '@/lib/contracts/console/action-result';
import type { GuardCard, PreparedGuardSigning } from '@/lib/contracts/console/guard-directories';

interface GuardSignDialogProps {
  readonly card: GuardCard;
  readonly prepared: PreparedGuardSigning;
  readonly signing: ReturnType<typeof useSigningKey>;
  readonly busy: boolean;
  readonly fault: ShownFault | null;
  readonly onSign: () => void;
  readonly onClose: () => void;
}

/** What an owner's signature lets in, and what it is good for. */
export function GuardSignDialog({ card, prepared, signing, busy, fault, onSign, onClose }: GuardSignDialogProps) {
  const last = prepared.counted + 1 >= prepared.needed;
  return (
    <SignDialog
      title="Allow this operation" description={last ? 'The allowlist is replaced at once, unless a cool-off runs.' : `Yours is signature ${prepared.counted + 1} of ${prepared.needed}. Nothing changes until there are enough.`}
      does="Sign and apply" gate={undefined} busy={busy} live fault={fault} nothing="The allowlist is unchanged." onSign={onSign} onClose={onClose}
    >
      <StatementList
        lines={[
          { label: 'Allow', value: <code><UntrustedText text={card.permission} /></code> },
          { label: 'In', value: card.directory },
          { label: 'Revision', value: `${card.base.revision} → ${card.base.revision + 1}` },
          { label: 'On allowlist', value: <Digest value={card.base.digest} /> },
          { label: 'As asked in', value: <Digest value={card.digest} /> },
        ]}
      />
      <ExactBytes text={prepared.application.text} />
      <SigningKeyLine signing={signing} signatures={2} />
    </SignDialog>
  );
}
