/** A lag at an instant. */
export type LagPoint = { readonly timestamp: string; readonly value: number }

/** Whether a backlog shrinks, and then when it will be gone, or grows; events per second. */
export type Drain =
  | { readonly kind: 'empty' }
  | { readonly kind: 'steady' }
  | { readonly kind: 'drains'; readonly seconds: number }
  | { readonly kind: 'grows'; readonly perSecond: number }

/** The points that the slope is taken from: the last ones. */
const pointsMax = 5

/**
 * Forecasts when a backlog is drained: a line through the last lags (least squares), continued to zero. A line that changes the
 * backlog by less than a tenth over its own length is steady.
 */
export function forecastDrain(lagNow: number, points: readonly LagPoint[]): Drain {
  if (lagNow === 0) return { kind: 'empty' }
  const recent = points.slice(-pointsMax).map(({ timestamp, value }) => ({ seconds: Date.parse(timestamp) / 1_000, value }))
  const [first, last] = [recent[0], recent.at(-1)]
  if (first === undefined || last === undefined || first === last) return { kind: 'steady' }
  const slope = fitSlope(recent)
  if (Math.abs(slope * (last.seconds - first.seconds)) < lagNow / 10) return { kind: 'steady' }
  return slope < 0 ? { kind: 'drains', seconds: lagNow / -slope } : { kind: 'grows', perSecond: slope }
}

function fitSlope(points: readonly { readonly seconds: number; readonly value: number }[]): number {
  const mean = (pick: (point: (typeof points)[number]) => number): number =>
    points.reduce((sum, point) => sum + pick(point), 0) / points.length
  const [seconds, value] = [mean((point) => point.seconds), mean((point) => point.value)]
  const covariance = mean((point) => (point.seconds - seconds) * (point.value - value))
  const variance = mean((point) => (point.seconds - seconds) ** 2)
  return covariance / variance
}
