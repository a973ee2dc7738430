import type { FiringMode } from '../sigma/correlation.ts'

/** How a condition that holds came to hold. */
type FiringContext = {
  /** Whether it held all the time since it was last looked at. */
  readonly didHold: boolean
  /** How long ago the group last made a match; infinite where it never did. */
  readonly sinceMatch: number
  readonly timespan: number
  /** Whether an event came, not only others left. */
  readonly isArrival: boolean
  /** Whether few events fulfil the condition: it makes a match when it becomes true, and not again while it stays so. */
  readonly isOfFew: boolean
}

/** Whether a condition that holds makes a match. */
export function isFiring(mode: FiringMode, { didHold, sinceMatch, timespan, isArrival, isOfFew }: FiringContext): boolean {
  const isPast = sinceMatch >= timespan
  if (!isArrival) return !didHold && (mode !== 'once_per_window' || isPast)
  switch (mode) {
    case 'on_true':
      return !didHold || (isPast && !isOfFew)
    case 'once_per_window':
      return isPast
    default:
      return true
  }
}
