'use client';

import { CSPProvider } from '@base-ui/react/csp-provider';
import { ThemeProvider as NextThemes } from 'next-themes';
import type { ReactNode } from 'react';
import { StyleNonce } from '@/components/ui/style-nonce';

/**
 * Theme and style nonce for everything below. `nonce` is the request's own, from the content security policy: the script that sets the theme
 * before the first paint, and style elements that components add, are refused without it.
 */
export function ThemeProvider({ nonce, children }: { readonly nonce: string | undefined; readonly children: ReactNode }) {
  return (
    <NextThemes attribute="data-theme" defaultTheme="system" enableSystem enableColorScheme={false} disableTransitionOnChange {...(nonce === undefined ? {} : { nonce })}>
      <StyleNonce value={nonce}>{nonce === undefined ? children : <CSPProvider nonce={nonce}>{children}</CSPProvider>}</StyleNonce>
    </NextThemes>
  );
}
