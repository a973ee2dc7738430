import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findCutTexts, lengthenWords, spaceTexts } from './find-cut-texts.ts'
import { lacksBrowser, logIn, openConsole, openPage } from './open-console.ts'
import type { Console, WatchedPage } from './open-console.ts'
import { pagePaths, ruleOfPages } from './page-paths.ts'
import { printProgramRule } from './program-rule.ts'

const event = {
  _logsource: { category: 'process_creation', product: 'windows' }, Image: 'C:\\Tools\\tool.exe', Computer: 'wks-1.example.com',
  User: 'EXAMPLE\\a.meier', CommandLine: 'tool.exe /run',
}

const screen = { width: 1440, height: 900 }
/** What a screen of 1440 by 900 pixels shows at 200 %. */
const zoomed = { width: 720, height: 450 }

describe.skipIf(lacksBrowser)('pages under strain in a browser', () => {
  let world: Console
  let watched: WatchedPage

  beforeAll(async () => {
    world = await openConsole({ rule: printProgramRule(ruleOfPages, 1, 'tool') })
    await world.ingest([event], 1)
    watched = await openPage(world)
    await logIn(world, watched.page)
  })
  afterAll(async () => await world?.close())

  test.for(pagePaths)('%s cuts nothing at twice the size, with spaced texts or with longer words', async (path) => {
    const { page } = watched
    await page.setViewportSize(screen)
    await page.goto(world.origin + path)
    await page.getByRole('heading', { level: 1 }).waitFor()
    await page.waitForLoadState('networkidle')
    // A page takes a moment to fold what has no room.
    const nothingIsCut = async (): Promise<void> => await expect.poll(() => findCutTexts(page)).toEqual([])
    await page.setViewportSize(zoomed)
    await nothingIsCut()
    await page.setViewportSize(screen)
    await spaceTexts(page, true)
    await nothingIsCut()
    await spaceTexts(page, false)
    await lengthenWords(page)
    await nothingIsCut()
  })

  test('nothing went wrong meanwhile', () => {
    expect(watched.problems).toEqual([])
  })
})
