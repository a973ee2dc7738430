import { PowerLost } from './simulated-disk.ts'

/** The random seed of a run; it is in the titles of tests, and `TRIPLINE_SEED` sets another. */
export const seed = Number(process.env['TRIPLINE_SEED'] ?? 20_261_121)

/** A deterministic random generator of numbers from 0 to 1 (mulberry32). */
export function chanceOf(from: number): () => number {
  let state = from
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** Waits for work that a power failure may end; rethrows other errors. */
export async function untilPowerLost(work: Promise<unknown>): Promise<void> {
  try {
    await work
  } catch (error) {
    for (let cause: unknown = error; !(cause instanceof PowerLost); cause = cause instanceof Error ? cause.cause : undefined) {
      if (cause === undefined) throw error
    }
  }
}
