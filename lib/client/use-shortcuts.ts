'use client';

import { useEffect, useEffectEvent } from 'react';

export type Shortcuts = Readonly<Record<string, () => void>>;

/**
 * Single keys for the page: off while typing, while a dialog is open, and with any modifier but Shift. Enter stays with the button or
 * link that has the focus. A key never signs.
 */
export function useShortcuts(shortcuts: Shortcuts): void {
  const press = useEffectEvent((event: KeyboardEvent) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.isComposing || isTaken(event.target, event.key)) return;
    const does = shortcuts[event.key.length === 1 ? event.key.toLowerCase() : event.key];
    if (!does) return;
    event.preventDefault();
    does();
  });
  // Outside system: the keyboard.
  useEffect(() => {
    const listener = (event: KeyboardEvent) => press(event);
    window.addEventListener('keydown', listener);
    return () => window.removeEventListener('keydown', listener);
  }, []);
}

const typing = 'input:not([type="checkbox"]):not([type="radio"]), textarea, select, [contenteditable="true"], [role="menu"], [role="dialog"]';

/** What Enter presses itself. */
const pressable = 'a[href], button, summary, [role="button"], [role="tab"]';

function isTaken(target: EventTarget | null, key: string): boolean {
  if (document.querySelector('[role="dialog"], [role="alertdialog"]')) return true;
  return target instanceof Element && target.closest(key === 'Enter' ? `${typing}, ${pressable}` : typing) !== null;
}
