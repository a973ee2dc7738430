import { expect, test } from 'vitest'
import type { StateStore } from '../../src/store/state-store.ts'
import { chanceOf, seed } from '../events/power-cuts.ts'
import { PowerLost, SimulatedDisk } from '../events/simulated-disk.ts'
import { crashRules, requestsOf } from './requests.ts'
import type { Request } from './requests.ts'
import { alertsOf, imbalanceOf, openTestState, openWorld, storedTexts, untilIdle } from './world.ts'
import type { World } from './world.ts'

const tenants = ['a', 'b']
/** Small, so that a few messages are taken at once. */
const sizes = { takeBytesMax: 700, fileBytesMax: 3_000, commitFileBytesMax: 500 }

/** The power of everything that keeps something: counts its steps, and goes at one of them. */
class Power {
  stepCount = 0
  isOff = false
  readonly #cutAt: number | undefined

  constructor(cutAt?: number) {
    this.#cutAt = cutAt
  }

  /** Whether the power is there for one more step. */
  step(): boolean {
    if (this.stepCount++ === this.#cutAt) this.isOff = true
    return !this.isOff
  }
}

/** The state under that power: what is committed is safe at once, and the power may go before or after it. */
function powered(state: StateStore, power: Power): StateStore {
  const guard = async <Result>(work: () => Promise<Result>): Promise<Result> => {
    if (!power.step()) throw new PowerLost()
    const result = await work()
    if (!power.step()) throw new PowerLost()
    return result
  }
  return {
    ...state,
    alerts: { ...state.alerts, insert: (tenant, matches) => guard(() => state.alerts.insert(tenant, matches)) },
    transaction: (work) => guard(() => state.transaction(work)),
  }
}

type Run = {
  readonly requests: readonly Request[]
  readonly state: StateStore
  readonly chance: () => number
  disk: SimulatedDisk
  nextRequest: number
}

/** Sends the requests that were not acknowledged yet, until all is handled or the power goes. Gives what came of it. */
async function runUntilCut(run: Run, power: Power, checkpointMs: number): Promise<World> {
  const { requests, state } = run
  let nowMs = requests[0]!.at
  const world = await openWorld({
    disk: run.disk, state: powered(state, power), rules: crashRules, sizes, checkpointMs, now: () => nowMs,
  })
  try {
    for (; run.nextRequest < requests.length; run.nextRequest++) {
      const { tenant, at, events } = requests[run.nextRequest]!
      nowMs = at
      await world.pipeline.take(tenant, events)
      checkBooks(world)
      if (run.chance() < 0.3) await untilIdle(world)
    }
    await untilIdle(world)
    for (let silentMs = 35_000; silentMs < 200_000; silentMs += 20_000) {
      nowMs = requests.at(-1)!.at + silentMs
      await world.pipeline.tick(nowMs)
      await untilIdle(world)
    }
    await world.pipeline.close()
    checkBooks(world)
  } catch (error) {
    if (!power.isOff) throw error
    await world.pipeline.close().catch(() => {})
  }
  return world
}

function checkBooks({ pipeline }: World): void {
  for (const tenant of tenants) {
    const books = pipeline.books(tenant)
    expect([imbalanceOf(books), books.inFlight >= 0]).toEqual([0, true])
  }
}

/** What everybody can see at the end. */
async function outcomeOf({ events, state, pipeline }: World) {
  const seen = []
  for (const tenant of tenants) {
    const { totalsOf } = await pipeline.ruleTotals(tenant)
    const { evaluated, quarantined } = pipeline.books(tenant)
    const alerts = await alertsOf(state, tenant)
    const matches = []
    for (const { id } of alerts) matches.push(await state.alerts.evidence(tenant, id))
    const ruleIds = [...new Set(alerts.map(({ ruleId }) => ruleId))].sort()
    seen.push({
      tenant, alerts, matches, stored: await storedTexts(events, tenant), evaluated, quarantined,
      rules: ruleIds.map((id) => [id, totalsOf(id)]),
    })
  }
  return seen
}

async function begin(requests: readonly Request[], power: Power, chance: () => number): Promise<Run> {
  return { requests, state: await openTestState(), chance, disk: diskOn(power), nextRequest: 0 }
}

function diskOn(power: Power): SimulatedDisk {
  return new SimulatedDisk({ faultAt: () => (power.step() ? undefined : 'powerCut') })
}

const requests = requestsOf(8)

test(`after a power cut at any step all is as if there had been none (seed ${seed})`, { timeout: 120_000 }, async () => {
  const chance = chanceOf(seed)
  const always = new Power()
  const whole = await begin(requests, always, () => 1)
  const wholeWorld = await runUntilCut(whole, always, 0)
  const expected = await outcomeOf(wholeWorld)
  await whole.state.close()
  const titles = expected.flatMap(({ alerts }) => alerts.map(({ ruleTitle }) => ruleTitle))
  expect([...new Set(titles)].sort()).toEqual(['Any SSH login', 'Failed login', 'Few failed logins', 'Many failed logins'])
  expect(always.stepCount).toBeGreaterThan(100)

  const stride = process.env['TRIPLINE_FULL'] === '1' ? 1 : 7
  for (let step = Math.floor(chance() * stride); step < always.stepCount; step += stride) {
    const powers = [new Power(step), new Power(Math.floor(chance() * 80)), new Power()]
    const run = await begin(requests, powers[0]!, chance)
    let world: World | undefined
    for (const [i, power] of powers.entries()) {
      if (i > 0) run.disk = run.disk.restarted(chance, { faultAt: () => (power.step() ? undefined : 'powerCut') })
      // One restart in three comes without a checkpoint, the others with many.
      world = await openUntilCut(run, power, [0, 3, 10_000][(step + i) % 3]!)
    }
    expect({ step, outcome: await outcomeOf(world!) }).toEqual({ step, outcome: expected })
    await run.state.close()
  }
})

/** The power may also go while everything is being opened. */
async function openUntilCut(run: Run, power: Power, checkpointMs: number): Promise<World | undefined> {
  try {
    return await runUntilCut(run, power, checkpointMs)
  } catch (error) {
    if (!power.isOff) throw error
    return undefined
  }
}
