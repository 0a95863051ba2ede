import Link from 'next/link';
import { Band } from '@/components/ui/band';

/** On every screen until a signed policy is in force. */
export function PolicyUnsignedBand({ setUpHref, refusal }: { readonly setUpHref?: string; readonly refusal?: { readonly code: string; readonly detail: string } }) {
  return (
    <Band tone="deny" icon="denied" title="No signed policy: every action is denied." role="note" full
      action={setUpHref === undefined ? undefined : <Link className="link" href={setUpHref}>Set up and sign</Link>}>
      {refusal === undefined ? null : <>{refusal.detail} <code>{refusal.code}</code> </>}Agents get a denial for whatever they propose, and each one leaves a receipt.
    </Band>
  );
}

/** On every screen while the trust root lets keys held by a browser sign high impact. */
export function RootBrowserKeyBanner() {
  return (
    <Band tone="warn" icon="key" title="Browser keys may sign high impact here." role="note" full>
      An agent that drives an approver&apos;s browser could use such a key; a passkey asks the person. The trust root decides which kind may sign what, and receipts name it.
    </Band>
  );
}

/** On every screen of a demonstration, whose keys are known to everybody. */
export function DemoKeyBanner() {
  return (
    <Band tone="warn" icon="key" title="Demonstration: its keys were made for you and are not secret." role="note" full>
      Nothing signed here proves anything about a person.
    </Band>
  );
}
