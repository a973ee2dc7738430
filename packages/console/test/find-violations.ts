import axe from 'axe-core'
import type { AxeResults } from 'axe-core'
import type { Page } from 'playwright-core'

/** The critical and serious problems of accessibility of a page, as axe finds them. */
export async function findViolations(page: Page): Promise<string[]> {
  await page.evaluate(axe.source)
  const found = await page.evaluate(async () => {
    const { axe: checker } = window as typeof window & { readonly axe: { readonly run: () => Promise<AxeResults> } }
    return (await checker.run()).violations
  })
  const isGrave = ({ impact }: AxeResults['violations'][number]): boolean => impact === 'critical' || impact === 'serious'
  return found.filter(isGrave).map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' | ')}`)
}

/** Those of both themes; the page is left in the one that it was in. */
export async function findViolationsOfThemes(page: Page): Promise<string[]> {
  const found = await findViolations(page)
  // A field with the focus would take the key as a letter.
  await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur())
  await page.keyboard.press('Shift+D')
  found.push(...(await findViolations(page)))
  await page.keyboard.press('Shift+D')
  return found
}
