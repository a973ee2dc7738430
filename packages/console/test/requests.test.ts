import type { Request } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { collectRequests, leave } from './collect-requests.ts'
import { lacksBrowser, logIn, openConsole, openPage } from './open-console.ts'
import type { Console, WatchedPage } from './open-console.ts'
import { ruleOfPages } from './page-paths.ts'
import { pressOften } from './press-keys.ts'
import { printProgramRule } from './program-rule.ts'

const alertCount = 160
const createEvent = (number: number): object => ({
  _logsource: { category: 'process_creation', product: 'windows' }, Image: 'C:\\Tools\\tool.exe', User: 'EXAMPLE\\a.meier',
  Computer: `wks-${number}.example.com`,
})

const answerMinMs = 1_500

describe.skipIf(lacksBrowser)('what pages ask the server for', () => {
  let world: Console
  let watched: WatchedPage

  beforeAll(async () => {
    world = await openConsole({ rule: printProgramRule(ruleOfPages, 1, 'tool') })
    await world.ingest(Array.from({ length: alertCount }, (_, index) => createEvent(index)), alertCount)
    watched = await openPage(world)
    await logIn(world, watched.page, '/alerts')
  })
  afterAll(async () => await world?.close())

  test('the first rows are the first hundred', async () => {
    const { page } = watched
    await leave(page)
    const requests = await collectRequests(page, async () => {
      await page.goto(`${world.origin}/alerts`)
      await page.getByRole('row').nth(1).waitFor()
    })
    expect(getLimit(requests.find(isList))).toBe('100')
  })

  test('they wait for the document, its script and the session, one after another', async () => {
    const { page } = watched
    await page.waitForLoadState('networkidle')
    /** Until the list is asked for. */
    const measure = async (): Promise<number> => {
      const [list, startedAt] = [page.waitForRequest(isList), performance.now()]
      await page.reload({ waitUntil: 'commit' })
      await list
      return performance.now() - startedAt
    }
    // Each answer takes so long that the page has asked for all that it can ask for meanwhile, however busy the machine is.
    const answerMs = Math.max(answerMinMs, 3 * await measure())
    await page.waitForLoadState('networkidle')
    let answered = 0
    await page.route('**/*', async (route) => {
      // Requests that wait beside each other wait for the same answers.
      const before = answered
      await new Promise((resolve) => setTimeout(resolve, answerMs))
      answered = Math.max(answered, before + 1)
      await route.continue()
    })
    await measure()
    const answersBefore = answered
    // Requests that still wait are sent by their handlers, not by the end of these.
    await page.unrouteAll({ behavior: 'wait' })
    await page.getByRole('row').nth(1).waitFor()
    expect(answersBefore).toBe(3)
  })

  test('a cursor that moves on asks for nothing that it passes', async () => {
    const { page } = watched
    await page.goto(`${world.origin}/alerts`)
    await page.getByRole('row').nth(1).waitFor()
    await page.keyboard.press('j')
    await page.keyboard.press('Enter')
    await page.getByRole('complementary').last().getByText('Why').waitFor()
    const requests = await collectRequests(page, async () => {
      await pressOften(page, 'j', 150)
      await page.getByText(`151 of ${alertCount}`).waitFor()
      await page.waitForLoadState('networkidle')
    })
    expect(requests.length).toBeLessThanOrEqual(30)
    expect(requests.length).toBeGreaterThan(0)
  })

  test('nothing went wrong meanwhile', () => {
    expect(watched.problems).toEqual([])
  })
})

function isList(request: Request): boolean {
  return new URL(request.url()).pathname === '/v1/alerts'
}

function getLimit(request: Request | undefined): string | null {
  return request === undefined ? null : new URL(request.url()).searchParams.get('limit')
}
