import { logIn, openConsole, openPage } from '../open-console.ts'
import type { Console, WatchedPage } from '../open-console.ts'
import { createHands, watchInputs } from './hands.ts'
import type { Hands, Input } from './hands.ts'

/** A console in which flows are walked, each with the mouse alone or the keyboard alone. */
export type Flows = WatchedPage & {
  readonly world: Console
  /** Opens an address, and gives the hands for what follows. */
  readonly begin: (input: Input, address: string) => Promise<Hands>
  /** What was used since `begin`. */
  readonly takeUsed: () => readonly Input[]
  readonly read: (parameter: string) => string | null
}

/** Starts a server with a rule and its events, and logs in. */
export async function openFlows(
  rules: { readonly [name: string]: string }, events: readonly object[], alertCount: number, options: readonly string[] = [],
  place: Parameters<typeof openConsole>[2] = {},
): Promise<Flows> {
  const world = await openConsole(rules, options, place)
  if (events.length > 0) await world.ingest(events, alertCount)
  return await openFlowsOf(world)
}

/** Logs in to a console, in another browser context than before. */
export async function openFlowsOf(world: Console): Promise<Flows> {
  const watched = await openPage(world)
  const { page } = watched
  const { take } = await watchInputs(page)
  await logIn(world, page)
  return {
    ...watched,
    world,
    begin: async (input, address) => {
      await page.goto(world.origin + address)
      await page.getByRole('heading', { level: 1 }).waitFor()
      take()
      return createHands(page, input)
    },
    takeUsed: take,
    read: (parameter) => new URL(page.url()).searchParams.get(parameter),
  }
}
