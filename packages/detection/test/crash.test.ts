import type { StateStore } from '@tripline/state/ports/state-store'
import { chanceOf, seed } from '@tripline/storage/test/events/power-cuts'
import type { SimulatedDisk } from '@tripline/storage/test/events/simulated-disk'
import { expect, test } from 'vitest'
import { Power, diskUnder, stateUnder, whilePowered } from './power.ts'
import { crashRules, requestsOf } from './requests.ts'
import type { Request } from './requests.ts'
import { alertsOf, imbalanceOf, openTestState, openWorld, smallBounds, storedTexts, untilIdle } from './world.ts'
import type { World } from './world.ts'

const tenants = ['a', 'b']
/** Small, so that a batch has few messages. */
const sizes = { takeBytesMax: 700, fileBytesMax: 3_000, commitFileBytesMax: 500, recentBytesMax: 1_000 }

/** A run of several lives: what was sent and acknowledged, and the stores. */
type Run = {
  readonly requests: readonly Request[]
  readonly state: StateStore
  readonly chance: () => number
  disk: SimulatedDisk
  nextRequest: number
}

/** Sends the unacknowledged requests until all is handled or the power fails. */
async function live(run: Run, power: Power, checkpointMs: number): Promise<World | undefined> {
  const { requests, state } = run
  let nowMs = requests[0]!.at
  let world: World | undefined
  await whilePowered(power, async () => {
    const opened = await openWorld({
      disk: run.disk, state: stateUnder(power, state), rules: crashRules, sizes, bounds: smallBounds, checkpointMs, now: () => nowMs,
    })
    world = opened
    for (; run.nextRequest < requests.length; run.nextRequest++) {
      const { tenant, at, events } = requests[run.nextRequest]!
      nowMs = at
      await opened.pipeline.ingest(tenant, events)
      checkBooks(opened)
      if (run.chance() < 0.3) await untilIdle(opened)
    }
    await untilIdle(opened)
    for (let silentMs = 35_000; silentMs < 200_000; silentMs += 20_000) {
      nowMs = requests.at(-1)!.at + silentMs
      await opened.pipeline.tick(nowMs)
      await untilIdle(opened)
    }
    checkBooks(opened)
  })
  await whilePowered(power, async () => await world?.pipeline.close())
  return world
}

function checkBooks({ pipeline }: World): void {
  for (const tenant of tenants) {
    const books = pipeline.accounting(tenant)
    expect([imbalanceOf(books), books.inFlight >= 0]).toEqual([0, true])
  }
}

/** The visible results at the end. */
async function outcomeOf({ events, state, pipeline }: World) {
  const seen = []
  for (const tenant of tenants) {
    const { getTotals } = await pipeline.ruleTotals(tenant)
    const { evaluated, quarantined } = pipeline.accounting(tenant)
    const alerts = await alertsOf(state, tenant)
    const matches = []
    // An event that is sent again has a later offset in the topic.
    for (const { id } of alerts) matches.push((await state.alerts.evidence(tenant, id)).map(({ eventRef: _place, ...match }) => match))
    const ruleIds = [...new Set(alerts.map(({ ruleId }) => ruleId))].sort()
    const rules = ruleIds.map((id) => [id, getTotals(id)])
    seen.push({ tenant, alerts, matches, stored: await storedTexts(events, tenant), evaluated, quarantined, rules })
  }
  return seen
}

const requests = requestsOf(8)

test(`a power cut at any step changes no result (seed ${seed})`, async () => {
  const chance = chanceOf(seed)
  const always = new Power()
  const whole: Run = { requests, state: await openTestState(), chance: () => 1, disk: diskUnder(always), nextRequest: 0 }
  const expected = await outcomeOf((await live(whole, always, 0))!)
  await whole.state.close()
  const titles = expected.flatMap(({ alerts }) => alerts.map(({ ruleTitle }) => ruleTitle))
  expect([...new Set(titles)].sort()).toEqual(['Any SSH login', 'Failed login', 'Few failed logins', 'Many failed logins'])
  expect(always.stepCount).toBeGreaterThan(100)

  const stride = process.env['TRIPLINE_FULL'] === '1' ? 1 : 7
  for (let step = Math.floor(chance() * stride); step < always.stepCount; step += stride) {
    const powers = [new Power(step), new Power(Math.floor(chance() * 80)), new Power()]
    const run: Run = { requests, state: await openTestState(), chance, disk: diskUnder(powers[0]!), nextRequest: 0 }
    let world: World | undefined
    for (const [i, power] of powers.entries()) {
      if (i > 0) run.disk = run.disk.restarted(chance, { faultAt: power.faultAt })
      // One life in three stores no checkpoint, the others many.
      world = await live(run, power, [0, 3, 10_000][(step + i) % 3]!)
    }
    expect({ step, outcome: await outcomeOf(world!) }).toEqual({ step, outcome: expected })
    await run.state.close()
  }
})
