import { PowerLost } from './simulated-disk.ts'

/** Where the chances of a run begin; it is in the titles of tests, and `TRIPLINE_SEED` sets another. */
export const seed = Number(process.env['TRIPLINE_SEED'] ?? 20_261_121)

/** Numbers from 0 to 1 that are the same for the same seed (mulberry32). */
export function chanceOf(from: number): () => number {
  let state = from
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** Waits for work that ends when the power goes, if it goes; other errors are errors. */
export async function untilPowerLost(work: Promise<unknown>): Promise<void> {
  try {
    await work
  } catch (error) {
    for (let cause: unknown = error; !(cause instanceof PowerLost); cause = cause instanceof Error ? cause.cause : undefined) {
      if (cause === undefined) throw error
    }
  }
}
