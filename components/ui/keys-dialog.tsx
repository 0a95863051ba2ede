'use client';

import { Button } from './button';
import { Dialog } from './dialog';
import { Kbd } from './kbd';

/** Caps that are pressed together, and what they do. */
export type KeyHelp = { readonly caps: readonly string[]; readonly does: string };

/** What the keys of a screen do. The last two are the same everywhere. */
export function KeysDialog({ keys, onClose }: { readonly keys: readonly KeyHelp[]; readonly onClose: () => void }) {
  const all: readonly KeyHelp[] = [...keys, { caps: ['Esc'], does: 'Close a dialog' }, { caps: ['?'], does: 'These keys' }];
  return (
    <Dialog open onOpenChange={(open) => { if (!open) onClose(); }} title="Keys" description="Off while you type. No single key signs." footer={<Button onClick={onClose}>Close <kbd>Esc</kbd></Button>}>
      <dl className="facts">
        {all.map(({ caps, does }) => <div className="contents" key={does}><dt>{does}</dt><dd>{caps.map((cap) => <Kbd key={cap}>{cap}</Kbd>)}</dd></div>)}
      </dl>
    </Dialog>
  );
}
