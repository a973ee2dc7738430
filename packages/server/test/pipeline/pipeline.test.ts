import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { StateStore } from '../../src/store/state-store.ts'
import { SimulatedDisk } from '../events/simulated-disk.ts'
import { anySshLogin, encoded, encodedPowerShell, sshLogin, whoami } from '../rules.ts'
import { alertsOf, openTestState, openWorld, rawEvent, storedTexts, untilIdle, worldNowMs } from './world.ts'
import type { WorldOptions } from './world.ts'

const rules = [encodedPowerShell, anySshLogin, whoami]

let state: StateStore
beforeEach(async () => {
  state = await openTestState()
})
afterEach(() => state.close())

function open(options: Partial<WorldOptions> = {}) {
  return openWorld({ disk: new SimulatedDisk(), state, rules, ...options })
}

describe('an event', () => {
  test('is stored as it arrived, and makes an alert that says what is known', async () => {
    const world = await open({
      enrich: async (_tenant, matches) => matches.map(({ event }) => ({ enrichment: { of: event['User'] }, assetCriticality: 'high' })),
    })
    const { lastOffset } = await world.pipeline.take('a', [rawEvent(sshLogin), { ...rawEvent(encoded, 'e1'), connectorId: 'c1' }])
    expect(lastOffset).toBe(1)
    await untilIdle(world)
    expect(await storedTexts(world.events)).toEqual([JSON.stringify(sshLogin), JSON.stringify(encoded)])
    const [first] = (await alertsOf(state)).filter(({ ruleTitle }) => ruleTitle === 'Encoded PowerShell')
    expect(first).toMatchObject({
      level: 'high', status: 'open', eventCount: 1, createdAt: worldNowMs, source: 'c1', enrichment: { of: 'ACME\\alice' },
      assetCriticality: 'high', attack: { tactics: ['execution'], techniques: ['T1059.001'] }, event: { host: 'web-1' },
    })
    expect((await state.alerts.evidence('a', first!.id)).map(({ event }) => event)).toEqual([JSON.stringify(encoded)])
    const totals = await world.pipeline.ruleTotals('a')
    expect(totals.totalsOf(first!.ruleId)).toEqual({ evaluations: 1, matches: 1 })
    expect(totals.lastDayOf(first!.ruleId, worldNowMs)).toEqual({ evaluations: 1, matches: 1 })
    await world.close()
  })
})
