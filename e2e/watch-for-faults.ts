import type { BrowserContext } from '@playwright/test';

/** Reports every error of the pages' consoles: exceptions, hydration mismatches, refused content (CSP), failed requests. */
export function watchForFaults(context: BrowserContext, report: (fault: string) => void): void {
  context.on('weberror', (error) => report(`${error.page()?.url() ?? ''}: ${error.error().message}`));
  context.on('console', (message) => {
    // A browser asks for this one by itself, where a page that it shows is no document of ours.
    if (message.location().url.endsWith('/favicon.ico')) return;
    if (message.type() === 'error') report(`${message.page()?.url() ?? ''}: ${message.text()} (${message.location().url})`);
  });
}
