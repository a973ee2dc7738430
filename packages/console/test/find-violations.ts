import axe from 'axe-core'
import type { AxeResults, RunOptions } from 'axe-core'
import type { Page } from 'playwright-core'

/** The critical and serious problems of accessibility of a page, as axe finds them. */
export async function findViolations(page: Page): Promise<string[]> {
  // What was listed before is dimmed while the next rows are late.
  await page.locator('[data-stale]').first().waitFor({ state: 'detached' })
  await page.evaluate(axe.source)
  const found = await page.evaluate(async () => {
    const { axe: checker } = window as typeof window & { readonly axe: { readonly run: (options: RunOptions) => Promise<AxeResults> } }
    return (await checker.run({ resultTypes: ['violations'] })).violations
  })
  const isGrave = ({ impact }: AxeResults['violations'][number]): boolean => impact === 'critical' || impact === 'serious'
  return found.filter(isGrave).map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' | ')}`)
}

/** Those of both themes; the page is left in the one that it was in. */
export async function findViolationsOfThemes(page: Page): Promise<string[]> {
  const theme = await readTheme(page)
  const other = theme === 'dark' ? 'light' : 'dark'
  const found = await findViolations(page)
  await switchTheme(page, other)
  found.push(...(await findViolations(page)))
  await switchTheme(page, theme)
  return found
}

/** Shows a page in a theme, as the system would that changes it: in dialogs too, where the key of the theme does nothing. */
export async function switchTheme(page: Page, theme: 'dark' | 'light'): Promise<void> {
  await page.emulateMedia({ colorScheme: theme })
  await page.locator(`html[data-theme=${theme}]`).waitFor()
}

async function readTheme(page: Page): Promise<'dark' | 'light'> {
  return (await page.locator('html').getAttribute('data-theme')) === 'light' ? 'light' : 'dark'
}
