import AxeBuilder from '@axe-core/playwright';
import type { Page } from '@playwright/test';

const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];

/** What axe finds against WCAG 2.2 AA on the page as it is, in light and in dark, a line each. */
export async function violationsOf(page: Page): Promise<readonly string[]> {
  const found: string[] = [];
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    const { violations } = await new AxeBuilder({ page }).withTags(tags).analyze();
    for (const { id, nodes } of violations) for (const node of nodes) found.push(`${colorScheme} ${id}: ${node.html} ${node.failureSummary ?? ''}`);
  }
  return found;
}
