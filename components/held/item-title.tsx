import { UntrustedText } from '@/components/ui/untrusted-text';
import { measuredCount } from '@/lib/approvals/measured';
import type { HeldAction } from '@/lib/approvals/held-action';
import { counted } from '@/lib/approvals/view-text';

import { shownValue } from './shown-value';

/** What is judged: tool and operation, how much as measured, and on what. Never a word of the agent's. */
export function ItemTitle({ held }: { readonly held: HeldAction }) {
  const count = measuredCount(held);
  const target = (['target', 'path', 'url'] as const).flatMap((wanted) => held.arguments.filter(({ role }) => role === wanted))[0];
  return (
    <>
      <code>{held.action.tool}.{held.action.operation}</code>
      {count === undefined ? recipientWords(held) : ` ${counted(count, 'item')}`}
      {target === undefined ? null : <> on <code><UntrustedText text={shownValue(target.value)} /></code></>}
    </>
  );
}

const recipientWords = ({ recipients }: HeldAction): string => (recipients.length === 0 ? '' : ` to ${counted(recipients.length, 'recipient')}`);
