import { runAndKill } from '@tripline/storage/test/run-and-kill'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openKillWorld } from './kill-world.ts'
import { imbalanceOf, storedTexts, untilIdle } from './world.ts'

const roundCount = Number(process.env['TRIPLINE_FULL'] === '1' ? 60 : 8)

/** Runs an ingesting process for a while and kills it; returns the numbers it acknowledged. */
async function takeAndKill(folder: string, first: number, runMs: number): Promise<number[]> {
  const lines = await runAndKill(join(import.meta.dirname, 'kill-main.ts'), [folder, String(first)], runMs)
  return lines.map(Number)
}

test(`a process that is killed ${roundCount} times loses nothing acknowledged, stores nothing twice, and its alerts count each match once`, async () => {
  const folder = await mkdtemp(join(tmpdir(), 'tripline-pipeline-'))
  try {
    const acknowledged: number[] = []
    for (let round = 0; round < roundCount; round++) {
      const numbers = await takeAndKill(folder, round * 1_000_000, 30 + 37 * (round % 8))
      expect(numbers.length).toBeGreaterThan(0)
      acknowledged.push(...numbers)
    }
    const world = await openKillWorld(folder)
    await untilIdle(world)
    const stored = (await storedTexts(world.events)).map((text) => (JSON.parse(text) as { readonly number: number }).number)
    expect(new Set(stored).size).toBe(stored.length)
    const kept = new Set(stored)
    expect(acknowledged.filter((number) => !kept.has(number))).toEqual([])

    // Every login is a match of its own, in its own alert or in that of a storm.
    const loginCount = stored.filter((number) => number % 5 === 0).length
    const rule = '0198f1c0-7a10-4c3e-9b1e-2f6a3a1f0002'
    const totals = (await world.pipeline.ruleTotals('a')).getTotals(rule)
    expect([totals.matches, totals.evaluations]).toEqual([loginCount, stored.length])
    expect(await matchCount(world.state, rule)).toBe(loginCount)
    const books = world.pipeline.accounting('a')
    expect([imbalanceOf(books), books.inFlight, books.evaluated]).toEqual([0, 0, stored.length])
    expect(books.accepted).toBeGreaterThanOrEqual(acknowledged.length)
    await world.close()
    await world.state.close()
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
})

/** Matches in all alerts of a rule. */
async function matchCount(state: Awaited<ReturnType<typeof openKillWorld>>['state'], ruleId: string): Promise<number> {
  let count = 0
  for (let after: readonly (string | number)[] | undefined; ;) {
    const { entries: alerts, next } = await state.alerts.list('a', { limit: 1_000, ...(after !== undefined && { after }) })
    count += alerts.filter((alert) => alert.ruleId === ruleId).reduce((sum, { eventCount }) => sum + eventCount, 0)
    if (next === undefined) return count
    after = next
  }
}
