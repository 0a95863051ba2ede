'use client';

import { Button } from '@/components/ui/button';
import { Dialog } from '@/components/ui/dialog';
import { Kbd } from '@/components/ui/kbd';

const keys: readonly { readonly caps: readonly string[]; readonly does: string }[] = [
  { caps: ['J', 'K'], does: 'Next and previous request' },
  { caps: ['Enter'], does: 'Read the selected request' },
  { caps: ['A'], does: 'Open the approval, or go to the first open check' },
  { caps: ['D'], does: 'Open the denial' },
  { caps: ['Q'], does: 'Ask back' },
  { caps: ['Ctrl', 'Enter'], does: 'Inside the dialog: sign, deny or ask' },
  { caps: ['N'], does: 'Show what has arrived' },
  { caps: ['/'], does: 'Filter' },
  { caps: ['Esc'], does: 'Close a dialog' },
  { caps: ['?'], does: 'These keys' },
];

export function HelpDialog({ onClose }: { readonly onClose: () => void }) {
  return (
    <Dialog open onOpenChange={(open) => { if (!open) onClose(); }} title="Keys" description="Off while you type. No single key signs." footer={<Button onClick={onClose}>Close <kbd>Esc</kbd></Button>}>
      <dl className="facts">
        {keys.map(({ caps, does }) => <div className="contents" key={does}><dt>{does}</dt><dd>{caps.map((cap) => <Kbd key={cap}>{cap}</Kbd>)}</dd></div>)}
      </dl>
    </Dialog>
  );
}
