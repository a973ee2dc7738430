import type { CDPSession } from 'playwright-core'
import { logIn, openConsole, openPage } from '../open-console.ts'
import type { Console } from '../open-console.ts'
import { printProgramRule } from '../program-rule.ts'
import type { Row } from './write-section.ts'

const alertsPerSecond = 10
/** Alerts of one rule: of more within an hour the server makes one. */
const alertsOfRule = 900
/** The part of the run after which the page holds all that it keeps for a while: answers that it no longer shows, for five minutes. */
const warmUp = 0.2
const roundsMin = 6
const roundMs = 10_000

/** What a page holds after its garbage is collected. */
type Held = { readonly heapBytes: number; readonly nodes: number; readonly listeners: number; readonly rows: number }

/**
 * Follows the Alerts page while ten alerts a second arrive, which a key shows every ten seconds, and tells what it holds at the
 * beginning, once a fifth of the time is over, in the middle and at the end.
 */
export async function measureMemory(lengthMs: number): Promise<readonly Row[]> {
  const rounds = Math.max(roundsMin, Math.round(lengthMs / roundMs))
  const ruleCount = Math.ceil((rounds * roundMs * alertsPerSecond) / 1_000 / alertsOfRule) + 1
  const world = await openConsole(Object.fromEntries(Array.from({ length: ruleCount }, (_, index) => [`rule-${index}`, printRule(index)])))
  try {
    const { page } = await openPage(world)
    let toldCount = 0
    page.on('websocket', (socket) => {
      socket.on('framereceived', ({ payload }) => {
        if (String(payload).includes('"new_alert"')) toldCount++
      })
    })
    await logIn(world, page, '/alerts')
    await page.getByText(/^Live/).waitFor()
    const session = await page.context().newCDPSession(page)
    const held: Held[] = []
    let sentCount = 0
    for (let round = 0; round < rounds; round++) {
      const startedAt = performance.now()
      while (performance.now() - startedAt < roundMs) {
        const batchAt = performance.now()
        await world.send(Array.from({ length: alertsPerSecond }, () => createEvent(sentCount++, ruleCount)))
        await new Promise((resolve) => setTimeout(resolve, Math.max(0, 1_000 - (performance.now() - batchAt))))
      }
      await page.keyboard.press('.')
      await page.getByRole('row').nth(1).waitFor()
      if (round + 1 >= warmUp * rounds) held.push({ ...await readHeld(session), rows: await page.getByRole('row').count() })
    }
    return printHeld(held, { sentCount, toldCount, total: await countAlerts(world), minutes: (rounds * roundMs) / 60_000 })
  } finally {
    await world.close()
  }
}

function printRule(index: number): string {
  return printProgramRule(`00000000-0000-4000-8000-${String(index).padStart(12, '0')}`, index, `tool-${index}`)
}

function createEvent(number: number, ruleCount: number): object {
  return {
    _logsource: { category: 'process_creation', product: 'windows' }, Image: `C:\\Tools\\tool-${number % ruleCount}.exe`,
    Computer: `wks-${number}.example.com`, User: 'a.meier',
  }
}

async function readHeld(session: CDPSession): Promise<Omit<Held, 'rows'>> {
  await session.send('HeapProfiler.collectGarbage')
  const { usedSize: heapBytes } = await session.send('Runtime.getHeapUsage')
  const { nodes, jsEventListeners: listeners } = await session.send('Memory.getDOMCounters')
  return { heapBytes, nodes, listeners }
}

async function countAlerts({ call }: Console): Promise<number> {
  return (await call<{ readonly pagination: { readonly total: number } }>('/v1/alerts?limit=1')).pagination.total
}

type Run = { readonly sentCount: number; readonly toldCount: number; readonly total: number; readonly minutes: number }

function printHeld(held: readonly Held[], { sentCount, toldCount, total, minutes }: Run): readonly Row[] {
  const [first, middle, last] = [held[0], held[Math.floor(held.length / 2)], held.at(-1)]
  if (first === undefined || middle === undefined || last === undefined) throw new Error('nothing was measured')
  const at = [['beginning', first], ['middle', middle], ['end', last]] as const
  const growth = (100 * (last.heapBytes - first.heapBytes)) / first.heapBytes
  return [
    [`Alerts that arrived in ${minutes.toFixed(0)} min, and of which the page was told`, `${total} of ${sentCount}, ${toldCount}`, 'all'],
    ...at.map(([when, { heapBytes }]): Row => [`Alerts, live, memory at the ${when}`, `${(heapBytes / 1_000_000).toFixed(1)} MB`, '80 MB']),
    ['Alerts, live, growth of memory from beginning to end', `${growth.toFixed(0)} %`, '10 %'],
    ['Alerts, live, nodes of the document at beginning, middle and end', at.map(([, { nodes }]) => nodes).join(', '), 'flat'],
    ['Alerts, live, listeners at beginning, middle and end', at.map(([, { listeners }]) => listeners).join(', '), 'flat'],
    ['Alerts, live, rows in the page at beginning, middle and end', at.map(([, { rows }]) => rows).join(', '), '80'],
  ]
}
