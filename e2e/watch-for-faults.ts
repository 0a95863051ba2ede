import type { BrowserContext } from '@playwright/test';

/** Reports every error of the pages' consoles: exceptions, hydration mismatches, refused content (CSP), failed requests. */
export function watchForFaults(context: BrowserContext, report: (fault: string) => void): void {
  context.on('weberror', (error) => report(`${error.page()?.url() ?? ''}: ${error.error().message}`));
  context.on('console', (message) => {
    if (message.type() === 'error') report(`${message.page()?.url() ?? ''}: ${message.text()} (${message.location().url})`);
  });
}
