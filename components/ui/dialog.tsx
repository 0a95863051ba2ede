'use client';

import { Dialog as Base } from '@base-ui/react/dialog';
import { useRef, type ReactNode } from 'react';
import { Seal } from '@/components/ui/seal';

interface DialogProps {
  readonly open: boolean;
  readonly onOpenChange: (open: boolean) => void;
  readonly title: ReactNode;
  readonly description?: ReactNode;
  /** Shows the rosette: something is about to be signed. */
  readonly sealed?: boolean;
  /** The statement or the form. */
  readonly children: ReactNode;
  /** Buttons, from cautious to decisive. */
  readonly footer: ReactNode;
  /** True while a signature is under way: Escape and the scrim then do nothing. */
  readonly busy?: boolean;
}

/** A modal dialog. Focus is trapped, opens on what is to be read and not on a button, and returns to where it came from. */
export function Dialog({ open, onOpenChange, title, description, sealed = false, children, footer, busy = false }: DialogProps) {
  const body = useRef<HTMLDivElement>(null);
  return (
    <Base.Root open={open} onOpenChange={(next) => { if (!busy) onOpenChange(next); }}>
      <Base.Portal>
        <Base.Backdrop className="scrim" />
        <Base.Viewport className="modal">
          <Base.Popup className="sheet" initialFocus={body} aria-busy={busy}>
            <div className="sheet-h">
              {sealed ? <Seal /> : null}
              <div>
                <Base.Title render={<h2 />}>{title}</Base.Title>
                {description === undefined ? null : <Base.Description className="t2">{description}</Base.Description>}
              </div>
            </div>
            <div className="sheet-b" ref={body} tabIndex={-1}>{children}</div>
            <div className="sheet-f">{footer}</div>
          </Base.Popup>
        </Base.Viewport>
      </Base.Portal>
    </Base.Root>
  );
}
