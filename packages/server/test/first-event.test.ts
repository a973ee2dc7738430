import { FairTurns } from '@tripline/detection/fairness/fair-turns'
import { compileRules, prepareRules } from '@tripline/engine'
import { setImmediate as schedule, setTimeout as scheduleLater } from 'node:timers'
import { expect, test } from 'vitest'
import { openTestServer } from './open-test-server.ts'

const rules = Array.from({ length: 200 }, (_, rule) => `
title: Rule ${rule}
logsource: { category: process_creation }
detection:
  a: { CommandLine|contains: [${Array.from({ length: 20 }, (_unused, i) => `'--value-${rule}-${i}'`).join(', ')}] }
  condition: a
`)

/** Turns of a clock that goes on by a millisecond whenever it is read, so that a turn has room for three steps of any work. */
class CountedTurns extends FairTurns {
  readonly flows: string[] = []

  constructor() {
    let nowMs = 0
    super({
      elapsedMs: () => nowMs++, processorMs: () => nowMs, schedule: (callback) => void schedule(callback),
      scheduleLater: (callback) => void scheduleLater(callback, 0),
    })
  }

  override next(...request: Parameters<FairTurns['next']>): Promise<number> {
    this.flows.push(request[0])
    return super.next(...request)
  }
}

test('the indexes for the first event of a tenant, for a changed rule and for a backtest are built in turns', async () => {
  const turns = new CountedTurns()
  const countTurns = (): number => turns.flows.splice(0).filter((flow) => flow === 'rules of default').length
  const server = await openTestServer(rules, { turns })
  const time = new Date(server.io.nowMs).toISOString()
  const event = { 'category': 'process_creation', 'product': 'windows', 'CommandLine': 'run --value-7-3 now', '@timestamp': time }
  await server.call('POST', '/ingest/v1/events', { body: [event] })
  const stepCount = [...prepareRules(compileRules(rules.map((text) => ({ text }))).ruleSet)].length
  expect(stepCount).toBeGreaterThan(50)
  expect(countTurns()).toBeGreaterThanOrEqual(Math.floor(stepCount / 3))

  await server.call('POST', '/ingest/v1/events', { body: [event] })
  expect(countTurns()).toBe(0)
  const values = Array.from({ length: 1_000 }, (_, i) => `'--other-${i}'`).join(', ')
  const definition = `title: Ours\nlogsource: { category: process_creation }\ndetection: { a: { CommandLine|contains: [${values}] }, condition: a }\n`
  expect((await server.call('POST', '/v1/detection/rules', { body: { definition } })).status).toBe(201)
  expect(countTurns()).toBeGreaterThan(0)
  expect((await server.call('POST', '/v1/detection/rules/new/backtest', { body: { definition } })).status).toBe(200)
  expect(countTurns(), 'of a backtest').toBeGreaterThan(0)
})
