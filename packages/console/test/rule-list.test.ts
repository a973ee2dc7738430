import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findViolationsOfThemes } from './find-violations.ts'
import { lacksBrowser, logIn, openConsole, openPage } from './open-console.ts'
import type { Console, WatchedPage } from './open-console.ts'
import { printProgramRule } from './program-rule.ts'

/** More than the list loads at once. */
const ruleCount = 230
const idOf = (index: number): string => `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`

describe.skipIf(lacksBrowser)('a list of many rules in a browser', () => {
  let world: Console
  let watched: WatchedPage

  beforeAll(async () => {
    const all = Array.from({ length: ruleCount }, (_, index) => [`rule-${index}`, printProgramRule(idOf(index), index, `tool-${index}`)] as const)
    world = await openConsole(Object.fromEntries(all))
    watched = await openPage(world)
    await logIn(world, watched.page, '/rules?verdict=silent&product=windows')
  })
  afterAll(async () => await world?.close())

  const countOff = async (): Promise<number> =>
    (await world.call<{ readonly pagination: { readonly total: number } }>('/v1/detection/rules?enabled=false&product=windows&limit=1')).pagination.total

  test('all rules of a verdict are selected, loaded or not, and switched off together', async () => {
    const { page } = watched
    await page.getByText(`${ruleCount} rules`, { exact: true }).waitFor()
    await page.getByRole('row', { name: /Program/ }).first().waitFor()
    await page.keyboard.press('Control+a')
    await page.getByRole('toolbar', { name: '200 selected' }).waitFor()
    await page.getByRole('button', { name: `Select all ${ruleCount} that match` }).click()
    await page.getByRole('toolbar', { name: `${ruleCount} selected` }).waitFor()
    expect(await findViolationsOfThemes(page)).toEqual([])
    await page.getByRole('button', { name: 'Switch off', exact: true }).click()
    await page.getByText(`${ruleCount} rules are off.`).waitFor()
    expect(await countOff()).toBe(ruleCount)
    // A rule that is off has no verdict.
    await page.getByText('No rule matches these filters.').waitFor()
  })

  test('nothing went wrong meanwhile', () => {
    expect(watched.problems).toEqual([])
  })
})
