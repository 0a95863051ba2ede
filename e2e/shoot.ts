import type { Page } from '@playwright/test';

const shots = process.env['SHOTS'];

/** Pictures for whoever looks the screens over; only when asked for. */
export async function shoot(page: Page, name: string, { fullPage = false } = {}): Promise<void> {
  if (shots === undefined) return;
  for (const [width, theme] of [[1440, 'light'], [1440, 'dark'], [390, 'light'], [390, 'dark']] as const) {
    await page.setViewportSize({ width, height: 900 });
    await page.emulateMedia({ colorScheme: theme });
    await page.screenshot({ path: `${shots}/${name}-${String(width)}-${theme}.png`, fullPage });
  }
  await page.setViewportSize({ width: 1280, height: 720 });
  await page.emulateMedia({ colorScheme: 'light' });
}
