import { runAndKill } from '@tripline/storage/test/run-and-kill'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openState } from '../src/open-state.ts'
import { auditKey } from './state-samples.ts'

const roundCount = 6

/** Runs a process that changes the store for a while and kills it; returns the ids of the alerts it acknowledged. */
async function changeAndKill(path: string, first: number, runMs: number): Promise<string[]> {
  return await runAndKill(join(import.meta.dirname, 'state-main.ts'), [path, String(first)], runMs)
}

test(`a process that is killed ${roundCount} times loses nothing that it kept, and its trail holds`, async () => {
  const folder = await mkdtemp(join(tmpdir(), 'tripline-state-kill-'))
  const path = join(folder, 'state.db')
  try {
    const acknowledged: string[] = []
    for (let round = 0; round < roundCount; round++) {
      const ids = await changeAndKill(path, round * 1_000_000, 10 + 13 * round)
      expect(ids.length).toBeGreaterThan(0)
      acknowledged.push(...ids)
    }
    const store = await openState({ path, auditKey })
    const { entries: alerts, total } = await store.alerts.list('a', { limit: 1_000_000 })
    const kept = new Set(alerts.map(({ id }) => id))
    expect(acknowledged.filter((id) => !kept.has(id))).toEqual([])
    expect(kept.size - acknowledged.length).toBeLessThanOrEqual(roundCount)
    expect(total).toEqual({ count: kept.size, isExact: true })
    // Each alert was stored with its audit entry, or neither was.
    const told = (await store.audit.list('a', { limit: 1_000_000 })).entries.map(({ target }) => target.id)
    expect(told.sort()).toEqual([...kept].sort())
    expect(await store.audit.verify('a')).toMatchObject({ entryCount: kept.size, brokenAt: undefined })
    await store.close()
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
})
