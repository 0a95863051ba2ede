'use client';

import { useSyncExternalStore } from 'react';

import { Button } from '@/components/ui/button';
import { Icon } from '@/components/ui/icon';
import { canMakePasskeys } from '@/lib/client/ask-passkey';
import type { EnrolKind } from '@/lib/client/make-key';
import type { KeyKind } from '@/lib/shared/keys';

interface EnrolButtonsProps {
  /** Kinds that would help here: others are not offered. Left out: both. */
  readonly kinds?: readonly KeyKind[] | undefined;
  readonly busy: boolean;
  readonly onEnrol: (kind: EnrolKind) => void;
}

const never = () => () => undefined;

/** The two kinds of key that can be made here. A passkey is offered first: it asks the person, whatever drives the browser. */
export function EnrolButtons({ kinds, busy, onEnrol }: EnrolButtonsProps) {
  const passkeys = useSyncExternalStore(never, canMakePasskeys, () => true);
  const helps = (kind: KeyKind) => kinds === undefined || kinds.includes(kind);
  const offBecause = busy ? 'Enrolling' : undefined;
  return (
    <>
      {helps('passkey') ? <Button small onClick={() => onEnrol('passkey')} offBecause={offBecause ?? (passkeys ? undefined : 'No passkeys at this address')} icon={<Icon name="key" small />}>Enrol a passkey</Button> : null}
      {helps('browser-ed25519') && !(busy && helps('passkey')) ? <Button small onClick={() => onEnrol('browser-ed25519')} offBecause={offBecause} icon={<Icon name="key" small />}>Make a browser key</Button> : null}
    </>
  );
}
