import { unitMs } from '../../lib/time-range.ts'

const { s, m, h, d } = unitMs

/** Lengths between two labels of a time axis, so that each stands at a time that people count in. */
const steps = [
  s, 2 * s, 5 * s, 10 * s, 15 * s, 30 * s, m, 2 * m, 5 * m, 10 * m, 15 * m, 30 * m, h, 2 * h, 3 * h, 6 * h, 12 * h, d, 2 * d, 7 * d, 14 * d,
  30 * d,
]
type TickOptions = {
  /** How far the clocks that are read are before those of UTC. */
  readonly offsetMs: number
  /** The most labels that there is room for. */
  readonly countMax: number
}

/** The round times of an axis, as clocks show them. */
export function listTicks(from: number, to: number, { offsetMs, countMax }: TickOptions): readonly number[] {
  const step = steps.find((one) => (to - from) / one < countMax) ?? Math.ceil((to - from) / countMax / d) * d
  if (step <= 0) return []
  const first = Math.ceil((from + offsetMs) / step) * step - offsetMs
  return Array.from({ length: Math.max(0, Math.ceil((to - first) / step)) }, (_, index) => first + index * step)
}
