'use client';

import { Menu } from '@base-ui/react/menu';
import Link from 'next/link';
import { signOut } from 'next-auth/react';
import { useTheme } from 'next-themes';
import { Icon } from '@/components/ui/icon';

export interface ViewerIdentity {
  readonly name: string;
  /** "Approver, owner" */
  readonly roles: string;
}

interface AvatarMenuProps {
  readonly viewer: ViewerIdentity;
  /** Where a person lands after signing out. */
  readonly afterSignOut?: string;
}

const themes = [{ value: 'system', label: 'As the system' }, { value: 'light', label: 'Light' }, { value: 'dark', label: 'Dark' }] as const;

/** Who is signed in, settings, theme and the way out. */
export function AvatarMenu({ viewer, afterSignOut = '/sign-in' }: AvatarMenuProps) {
  const { theme, setTheme } = useTheme();
  return (
    <Menu.Root modal={false}>
      <Menu.Trigger className="who" aria-label={`${initials(viewer.name)}, signed in as ${viewer.name}`}>{initials(viewer.name)}</Menu.Trigger>
      <Menu.Portal>
        <Menu.Positioner className="menu-at" align="end" sideOffset={6}>
          <Menu.Popup className="menu">
            <div className="menu-who"><b>{viewer.name}</b><span className="meta">{viewer.roles}</span></div>
            <Menu.Item className="menu-item" render={<Link href="/settings" />}>Settings and keys</Menu.Item>
            <Menu.Separator className="menu-rule" />
            <Menu.RadioGroup value={theme ?? 'system'} onValueChange={(value: string) => setTheme(value)} aria-label="Theme">
              {themes.map((option) => (
                <Menu.RadioItem key={option.value} className="menu-item" value={option.value} closeOnClick={false}>
                  <span className="menu-tick"><Menu.RadioItemIndicator><Icon name="check" small /></Menu.RadioItemIndicator></span>{option.label}
                </Menu.RadioItem>
              ))}
            </Menu.RadioGroup>
            <Menu.Separator className="menu-rule" />
            <Menu.Item className="menu-item" onClick={() => void signOut({ callbackUrl: afterSignOut })}>Sign out</Menu.Item>
          </Menu.Popup>
        </Menu.Positioner>
      </Menu.Portal>
    </Menu.Root>
  );
}

/** First letters of the first and the last name, by what a reader sees as one letter. */
export function initials(name: string): string {
  const words = name.trim().split(/\s+/u).filter(Boolean);
  const first = words[0] ?? '?';
  const last = words.length > 1 ? (words.at(-1) ?? '') : '';
  return `${firstLetter(first)}${firstLetter(last)}`.toLocaleUpperCase('en');
}

function firstLetter(word: string): string {
  for (const part of new Intl.Segmenter('en', { granularity: 'grapheme' }).segment(word)) return part.segment;
  return '';
}
