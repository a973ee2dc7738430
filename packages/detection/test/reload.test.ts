import { chanceOf, seed } from '@tripline/storage/test/events/power-cuts'
import { SimulatedDisk } from '@tripline/storage/test/events/simulated-disk'
import { expect, test } from 'vitest'
import type { ActiveRules } from '../src/tenants/tenant-engine.ts'
import { anySshLogin, sshLogin } from './rules.ts'
import { Power, diskUnder, stateUnder, whilePowered } from './power.ts'
import { crashRules, requestsOf } from './requests.ts'
import { alertsOf, openTestState, openWorld, rawEvent, rulesWith, untilIdle } from './world.ts'
import type { World, WorldOptions } from './world.ts'

/** The rule of a version; its title names the version. */
function loginRules(version: number): ActiveRules {
  return rulesWith([anySshLogin.replace('Any SSH login', `version ${version}`)], version)
}

/** For each login, by the number in its host name, the title of the matching rule; each has its own alert. */
async function titlesOf({ state }: World): Promise<readonly string[]> {
  const titles: string[] = []
  for (const { event, ruleTitle, eventCount } of await alertsOf(state)) {
    const number = Number(event.host.slice(1))
    expect([event.host, titles[number], eventCount]).toEqual([event.host, undefined, 1])
    titles[number] = ruleTitle
  }
  return titles
}

const login = (number: number) => rawEvent({ ...sshLogin, host: `h${number}` }, `${number}`)

test('rules that change in mid stream evaluate each event once, from the returned offset on', async () => {
  const state = await openTestState()
  const world = await openWorld({ disk: new SimulatedDisk(), state, loadRules: async () => loginRules(1), checkpointMs: 3 })
  const starts: number[] = [0]
  const sending = (async () => {
    for (let number = 0; number < 300; number++) {
      expect((await world.pipeline.ingest('a', [login(number)])).lastOffset).toBe(number)
      if (number % 3 === 0) await new Promise((resolve) => setTimeout(resolve, 1))
    }
  })()
  for (let version = 2; version < 12; version++) {
    await new Promise((resolve) => setTimeout(resolve, 4))
    starts.push((await world.pipeline.useRules('a', loginRules(version))).effectiveFromOffset)
  }
  await sending
  await untilIdle(world)
  const expected = Array.from({ length: 300 }, (_, number) => `version ${starts.filter((start) => start <= number).length}`)
  expect(await titlesOf(world)).toEqual(expected)
  expect(new Set(starts).size).toBeGreaterThan(3)
  const { getTotals } = await world.pipeline.ruleTotals('a')
  expect(getTotals('0198f1c0-7a10-4c3e-9b1e-2f6a3a1f0002')).toEqual({ evaluations: 300, matches: 300 })
  await world.close()
  await state.close()
})

test(`rules that change during power cuts evaluate each event once (seed ${seed})`, async () => {
  const chance = chanceOf(seed)
  for (let step = Math.floor(chance() * 5); step < 130; step += process.env['TRIPLINE_FULL'] === '1' ? 1 : 5) {
    const state = await openTestState()
    const powers = [new Power(step), new Power(Math.floor(chance() * 60)), new Power()]
    let disk = diskUnder(powers[0]!)
    let kept = 1
    let told: { readonly version: number; readonly from: number } | undefined
    let next = 0
    for (const [life, power] of powers.entries()) {
      if (life > 0) disk = disk.restarted(chance, { faultAt: power.faultAt })
      let world: World | undefined
      await whilePowered(power, async () => {
        world = await openWorld({
          disk, state: stateUnder(power, state), loadRules: async () => loginRules(kept), checkpointMs: 10_000, sizes: { takeBytesMax: 300 },
        })
        for (; next < 12; next++) {
          await world.pipeline.ingest('a', [login(next)])
          if (next !== 5 || kept > 1) continue
          const { effectiveFromOffset } = await world.pipeline.useRules('a', loginRules(2), async () => {
            kept = 2
          })
          told = { version: 2, from: effectiveFromOffset }
        }
        await untilIdle(world)
        if (life < 2) return
        const titles = await titlesOf(world)
        expect([step, titles.length]).toEqual([step, 12])
        // The offsets are those of the events that were not sent twice.
        const changedAt = titles.indexOf('version 2')
        expect([step, [...titles].sort()]).toEqual([step, titles])
        if (told !== undefined && world.pipeline.accounting('a').deduplicated === 0) expect([step, changedAt]).toEqual([step, told.from])
      })
      await whilePowered(power, async () => await world?.pipeline.close())
    }
    await state.close()
  }
})

test('rules do not change while detection is stalled, and do afterwards', async () => {
  const state = await openTestState()
  // Each look at the clock takes a moment while detection is held, and none afterwards: on a slow machine nothing else is late.
  let isHeld = true
  let nowMs = 0
  const elapsedMs = (): number => (isHeld ? (nowMs += 100) : nowMs)
  let goOn = (): void => {}
  const held = new Promise<void>((resolve) => (goOn = resolve)).then(() => (isHeld = false))
  let isHolding = false
  const enrich: WorldOptions['enrich'] = async (_tenant, matches) => {
    isHolding = true
    await held
    return matches.map(() => ({ enrichment: {}, assetCriticality: '' }))
  }
  const world = await openWorld({ disk: new SimulatedDisk(), state, loadRules: async () => loginRules(1), enrich, elapsedMs, checkpointMs: 0 })
  await world.pipeline.ingest('a', Array.from({ length: 60 }, (_, number) => login(number)))
  while (!isHolding) await new Promise((resolve) => setTimeout(resolve, 5))
  let storedCount = 0
  const store = async () => void storedCount++
  await expect(world.pipeline.useRules('a', loginRules(2), store)).rejects.toMatchObject({
    code: 'UNAVAILABLE', details: { retry_after_seconds: 2 },
  })
  goOn()
  await untilIdle(world)
  expect(storedCount).toBe(0)
  expect(await world.pipeline.useRules('a', loginRules(2), store)).toEqual({ effectiveFromOffset: 60 })
  expect([storedCount, new Set(await titlesOf(world))]).toEqual([1, new Set(['version 1'])])
  await world.close()
  await state.close()
})

test('rules that cannot be stored change nothing, and keep their state', async () => {
  const state = await openTestState()
  const requests = requestsOf(8).filter(({ tenant }) => tenant === 'a')
  const outcomes = []
  for (const isChanging of [false, true]) {
    const own = await openTestState()
    const world = await openWorld({ disk: new SimulatedDisk(), state: own, rules: crashRules, checkpointMs: 0 })
    for (const { events } of requests) {
      await world.pipeline.ingest('a', events)
      if (!isChanging) continue
      await expect(world.pipeline.useRules('a', loginRules(7), () => Promise.reject(new Error('no room')))).rejects.toThrow('no room')
      // The correlations keep all their state, although another rule came and went.
      const { ruleSet, versions } = rulesWith(crashRules)
      await world.pipeline.useRules('a', { versions, ruleSet: ruleSet.applyChange({ put: loginRules(1).ruleSet.rules.map((rule) => ({ ...rule, id: 'other' })) }) })
      await world.pipeline.useRules('a', { versions, ruleSet })
    }
    await untilIdle(world)
    outcomes.push((await alertsOf(own)).filter(({ ruleId }) => ruleId !== 'other'))
    await world.close()
    await own.close()
  }
  expect(outcomes[0]!.length).toBeGreaterThan(5)
  expect(outcomes[1]).toEqual(outcomes[0])
  await state.close()
})
