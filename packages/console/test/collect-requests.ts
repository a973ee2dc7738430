import type { Page, Request } from 'playwright-core'

/** Collects the requests of the API that begin while something is done. */
export async function collectRequests(page: Page, run: () => Promise<void>): Promise<readonly Request[]> {
  const requests: Request[] = []
  const note = (request: Request): void => void (new URL(request.url()).pathname.startsWith('/v1/') && requests.push(request))
  page.on('request', note)
  await run()
  page.off('request', note)
  return requests
}

/** Leaves a page, which asks for more once it is idle: that is not the next one's. */
export async function leave(page: Page): Promise<void> {
  await page.goto('about:blank')
}

/** Requests for the same within this time are not those of a page that asks now and then. */
const atOnceMs = 1_000

/** What was asked for twice within a second, or again after a request that was given up, of which no time is known. */
export function findRepeated(requests: readonly Request[]): readonly string[] {
  const asked = requests.map((request) => ({ target: `${request.method()} ${printTarget(request)}`, at: request.timing().startTime }))
  const isRepeated = ({ target, at }: (typeof asked)[number], index: number): boolean => asked.slice(0, index).some((other) =>
    other.target === target && (at - other.at < atOnceMs || other.at <= 0))
  return asked.filter(isRepeated).map(({ target }) => target)
}

/** The warnings about a query that answers have, each with what was asked for. */
export async function findWarnings(requests: readonly Request[]): Promise<readonly string[]> {
  const answers = await Promise.all(requests.map(async (request) => {
    const text = await (await request.response())?.text().catch(() => '')
    const [warning] = /"query_warnings":\[[^\]]/.exec(text ?? '') ?? []
    return warning === undefined ? [] : [`${printTarget(request)} ${warning}`]
  }))
  return answers.flat()
}

/** What a request is for: the moment that a range is counted from is no difference. */
function printTarget(request: Request): string {
  const { pathname, searchParams } = new URL(request.url())
  const parameters = [...searchParams].filter(([name]) => !['from', 'to', 'cursor'].includes(name))
  return `${pathname} ${parameters.map(([name, value]) => `${name}=${value}`).join(' ')}`
}
