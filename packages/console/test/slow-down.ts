import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Browser, BrowserContext } from 'playwright-core'

/** How many times slower pages are than this machine makes them, from 1 on. */
const slowness = Number(process.env['TRIPLINE_SLOW_BROWSER'] ?? 1)
const seed = Number(process.env['TRIPLINE_SEED'] ?? 7)
/** How long pages run before they stand still for as long as makes them so slow. */
const runMs = 20
/** How often new processes of pages are looked for. */
const searchMs = 500
/** The longest wait of an answer, per unit of slowness. */
const delayMs = 50

if (!(slowness >= 1)) throw new Error(`TRIPLINE_SLOW_BROWSER is a number from 1 on, not ${process.env['TRIPLINE_SLOW_BROWSER']}`)

/**
 * Makes the pages of a browser as slow as a busy machine does, where `TRIPLINE_SLOW_BROWSER` says how many times: their processes
 * stand still most of the time. The browser's own way to do so keeps a core busy, which slows whatever else runs.
 */
export async function slowPages(browser: Browser): Promise<void> {
  if (slowness === 1) return
  const session = await browser.newBrowserCDPSession()
  const read = async (): Promise<readonly number[]> => {
    const { processInfo } = await session.send('SystemInfo.getProcessInfo')
    return processInfo.filter(({ type }) => type === 'renderer').map(({ id }) => id)
  }
  let processes: readonly number[] = []
  const search = setInterval(() => void read().then(
    (found) => (processes = found),
    (error: unknown) => {
      // The browser may be closed meanwhile.
      if (browser.isConnected()) throw error
    },
  ), searchMs)
  browser.once('disconnected', () => clearInterval(search))
  const alternate = async (): Promise<void> => {
    while (browser.isConnected()) {
      await sleep(runMs)
      const stopped = processes.filter((id) => signal(id, 'SIGSTOP'))
      await sleep(runMs * (slowness - 1))
      for (const id of stopped) signal(id, 'SIGCONT')
    }
  }
  void alternate()
}

/** Lets answers of the server wait, each for a while of its own, where pages are slow. */
export async function slowAnswers(context: BrowserContext, origin: string): Promise<void> {
  if (slowness === 1) return
  const counts = new Map<string, number>()
  await context.route(({ href }) => href.startsWith(`${origin}/`), async (route) => {
    const target = `${route.request().method()} ${new URL(route.request().url()).pathname}`
    const count = (counts.get(target) ?? 0) + 1
    counts.set(target, count)
    await sleep(chooseShare(`${target} ${count}`) * slowness * delayMs)
    await route.continue()
  })
}

/** Whether a process was there to take a signal. */
function signal(id: number, name: 'SIGSTOP' | 'SIGCONT'): boolean {
  try {
    return process.kill(id, name)
  } catch {
    return false
  }
}

/** A number from 0 to 1 that a request has in each run with the same seed, in whichever order requests are made. */
function chooseShare(request: string): number {
  return createHash('sha256').update(`${seed} ${request}`).digest().readUInt32BE() / 2 ** 32
}
