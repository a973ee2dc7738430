import { expect } from 'vitest'

/** Milliseconds that `runReference` takes on the machine for which bounds are stated. */
const referenceMs = 12

/** Milliseconds of processor time of this thread; while other processes run, it stands still. */
export function getThreadCpuMs(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1_000
}

/**
 * Expects processor time to be below a bound for hostile input. The bound is that of a machine at rest: four times as much is
 * allowed where neighbours share caches and clock, and more by as much as the machine is slower, which only a late run measures.
 */
export function expectProcessorTime(tookMs: number, maxMs: number, what = 'hostile input takes too long'): void {
  if (tookMs < maxMs) return
  expect(tookMs, what).toBeLessThan(4 * maxMs * Math.max(1, measureReferenceMs() / referenceMs))
}

/** The fastest of a few rounds: the first ones run before the code is optimised. */
function measureReferenceMs(): number {
  const times = Array.from({ length: 7 }, () => {
    const startedMs = getThreadCpuMs()
    runReference()
    return getThreadCpuMs() - startedMs
  })
  return Math.min(...times)
}

/** Work like that of compiling and matching: texts, hash tables, sorting. */
function runReference(): void {
  const counts = new Map<string, number>()
  for (let i = 0; i < 60_000; i++) {
    const key = `key ${(i * 7_919) % 9_973}`.toUpperCase()
    counts.set(key, (counts.get(key) ?? 0) + key.lastIndexOf('K'))
  }
  if ([...counts.keys()].sort().length !== 9_973) throw new Error('the reference work is not what it was')
}
