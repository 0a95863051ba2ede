import type { Locator, Page } from '@playwright/test';

/** The verdict on the open file, once there is one. */
export const verdictOf = (page: Page): Locator => page.locator('.verdict-l');

/** Gives the verifier a file and waits for what it finds. */
export async function chooseBundle(page: Page, file: string): Promise<void> {
  await page.locator('.drop input[type="file"]').setInputFiles(file);
  await page.locator('.verifier[data-state="done"], .verifier[data-state="refused"]').waitFor();
}

/** Types the fingerprint that an owner gave. */
export async function trustRoot(page: Page, fingerprint: string): Promise<void> {
  await page.getByLabel('Fingerprint of the trust root').fill(fingerprint);
  await page.getByRole('button', { name: 'Remember it' }).click();
}

/** What the page asks of any network from now on; its own file and its worker are no network. */
export function watchNetwork(page: Page): () => readonly string[] {
  const asked: string[] = [];
  page.on('request', (request) => {
    if (!/^(?:file|blob|data):/u.test(request.url())) asked.push(request.url());
  });
  return () => asked;
}
