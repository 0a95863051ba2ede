'use client';

import { useTheme } from 'next-themes';
import { Icon } from '@/components/ui/icon';

/** Pins the other of light and dark. */
export function ThemeToggle() {
  const { resolvedTheme, setTheme } = useTheme();
  return (
    <button className="iconbtn" type="button" aria-label="Switch between light and dark" onClick={() => setTheme(resolvedTheme === 'dark' ? 'light' : 'dark')}>
      <Icon name="theme" />
    </button>
  );
}
