import { test as base, expect, type BrowserContextOptions, type Page } from '@playwright/test';

import { readDemo, type Demo, type RoleName } from './demo';
import { freshPlace, removePlace, startProduct, type Place, type Product } from './product';
import { signInAs } from './sign-in';
import { watchForFaults } from './watch-for-faults';

type PerTest = {
  /** A browser of its own without a session; its console may hold no error, or the test fails. */
  readonly openBrowser: (options?: BrowserContextOptions) => Promise<Page>;
  /** The same, signed in to the demo. */
  readonly signIn: (role: RoleName, options?: BrowserContextOptions) => Promise<Page>;
  /** Where a Countersign of this test alone may live; removed afterwards. */
  readonly place: Place;
  /** `npm start` on an empty state directory. */
  readonly fresh: Product;
  /** Errors of browser consoles that this test means to provoke. */
  readonly mayComplain: (about: RegExp) => void;
};

type PerWorker = { readonly demo: Demo };

/** The product as its users start it, once for all tests of a worker that only need the demo. */
export const test = base.extend<PerTest & { readonly faults: { allowed: RegExp[]; found: string[] } }, PerWorker>({
  demo: [
    async ({}, use) => {
      const place = await freshPlace();
      const product = await startProduct('demo', place);
      try {
        await use(await readDemo(product));
      } finally {
        await product.stop();
        await removePlace(place);
      }
    },
    { scope: 'worker', timeout: 150_000 },
  ],
  place: async ({}, use) => {
    const place = await freshPlace();
    await use(place);
    await removePlace(place);
  },
  fresh: async ({ place }, use) => {
    const product = await startProduct('start', place);
    try {
      await use(product);
    } finally {
      await product.stop();
    }
  },
  faults: async ({}, use) => {
    const faults = { allowed: [] as RegExp[], found: [] as string[] };
    await use(faults);
    expect(faults.found.filter((fault) => !faults.allowed.some((pattern) => pattern.test(fault))), 'errors in a browser’s console').toEqual([]);
  },
  mayComplain: async ({ faults }, use) => await use((about) => void faults.allowed.push(about)),
  openBrowser: async ({ browser, faults }, use) => {
    const opened: Awaited<ReturnType<typeof browser.newContext>>[] = [];
    await use(async (options) => {
      const context = await browser.newContext(options);
      opened.push(context);
      watchForFaults(context, (fault) => faults.found.push(fault));
      return await context.newPage();
    });
    await Promise.all(opened.map((context) => context.close()));
  },
  signIn: async ({ openBrowser, demo }, use) => {
    await use(async (role, options) => {
      const page = await openBrowser(options);
      await signInAs(page, demo.console, demo.person(role));
      return page;
    });
  },
});

export { expect };
