import type { FiringMode } from '../sigma/correlation.ts'

/** How a condition that holds of a group came to hold. */
export type Holding = {
  /** Whether it held all the time since the event before. */
  readonly didHold: boolean
  /** How long ago the group last made a match; infinite where it never did. */
  readonly sinceMatchMs: number
  readonly timespanMs: number
}

/** Whether a condition that holds makes a match (D-45). */
export function fires(mode: FiringMode, { didHold, sinceMatchMs, timespanMs }: Holding): boolean {
  switch (mode) {
    case 'on_true':
      return !didHold || sinceMatchMs >= timespanMs
    case 'once_per_window':
      return sinceMatchMs >= timespanMs
    default:
      return true
  }
}
