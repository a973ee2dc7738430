import type { Page, Request } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { lacksBrowser, logIn, openConsole, openPage } from './open-console.ts'
import type { Console, WatchedPage } from './open-console.ts'
import { pagePaths, ruleOfPages } from './page-paths.ts'
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

  /** Collects the requests of the API that begin while something is done. */
  const collect = async (page: Page, run: () => Promise<void>): Promise<readonly Request[]> => {
    const requests: Request[] = []
    const note = (request: Request): void => void (new URL(request.url()).pathname.startsWith('/v1/') && requests.push(request))
    page.on('request', note)
    await run()
    page.off('request', note)
    return requests
  }

  /** Leaves a page, which asks for more once it is idle: that is not the next one's. */
  const leave = async (page: Page): Promise<void> => void (await page.goto('about:blank'))

  test('the first rows are the first hundred', async () => {
    const { page } = watched
    await leave(page)
    const requests = await collect(page, async () => {
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
    // Each answer takes so long that what the page does itself does not count, however busy the machine is.
    const answerMs = Math.max(answerMinMs, 3 * await measure())
    await page.waitForLoadState('networkidle')
    await page.route('**/*', async (route) => {
      await new Promise((resolve) => setTimeout(resolve, answerMs))
      await route.continue()
    })
    const answersBefore = Math.floor(await measure() / answerMs)
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
    const requests = await collect(page, async () => {
      await pressOften(page, 'j', 150)
      await page.getByText(`151 of ${alertCount}`).waitFor()
      await page.waitForLoadState('networkidle')
    })
    expect(requests.length).toBeLessThanOrEqual(30)
    expect(requests.length).toBeGreaterThan(0)
  })

  test.for(pagePaths)('%s asks for nothing twice within a second, and no answer warns', async (path) => {
    const { page } = watched
    await leave(page)
    const requests = await collect(page, async () => {
      await page.goto(world.origin + path)
      await page.getByRole('heading', { level: 1 }).waitFor()
      await page.waitForLoadState('networkidle')
    })
    const asked = requests.map((request) => `${request.method()} ${printTarget(request)}`)
    expect(asked.filter((target, index) => asked.indexOf(target) !== index)).toEqual([])
    const answers = await Promise.all(requests.map(async (request) => {
      const text = await (await request.response())?.text().catch(() => '')
      return [printTarget(request), /"query_warnings":\[[^\]]/.exec(text ?? '')?.[0]]
    }))
    expect(answers.filter(([, warning]) => warning !== undefined)).toEqual([])
  })

  test('nothing went wrong meanwhile', () => {
    expect(watched.problems).toEqual([])
  })
})

/** What a request is for: the moment that a range is counted from is no difference. */
function printTarget(request: Request): string {
  const { pathname, searchParams } = new URL(request.url())
  const parameters = [...searchParams].filter(([name]) => !['from', 'to', 'cursor'].includes(name))
  return `${pathname} ${parameters.map(([name, value]) => `${name}=${value}`).join(' ')}`
}

function isList(request: Request): boolean {
  return new URL(request.url()).pathname === '/v1/alerts'
}

function getLimit(request: Request | undefined): string | null {
  return request === undefined ? null : new URL(request.url()).searchParams.get('limit')
}
