import { LatencyHistogram } from '@tripline/common/latency-histogram'
import { noLabel } from '@tripline/model/metric'
import type { CounterName, GaugeName, LatencyName, MetricPoint } from '@tripline/model/metric'
import { limits } from './limits.ts'

/** The measured points of one tenant that are not stored yet, by minute. */
export class PointBuffer {
  readonly #minutes = new Map<number, Minute>()

  count(startsAt: number, name: CounterName, label: string, by: number): void {
    const { counts } = this.#minute(startsAt)
    const key = keyOf(name, label)
    const pending = counts.get(key)
    if (pending === undefined) counts.set(key, { name, label, value: by })
    else pending.value += by
  }

  peak(startsAt: number, name: GaugeName, label: string, value: number): void {
    const { peaks } = this.#minute(startsAt)
    const key = keyOf(name, label)
    const pending = peaks.get(key)
    if (pending === undefined) peaks.set(key, { name, label, value })
    else pending.value = Math.max(pending.value, value)
  }

  /** The histogram of a minute, to add to. */
  histogram(startsAt: number, name: LatencyName): LatencyHistogram {
    const { histograms } = this.#minute(startsAt)
    const histogram = histograms.get(name) ?? new LatencyHistogram()
    histograms.set(name, histogram)
    return histogram
  }

  /** Removes and returns all points. */
  drain(): MetricPoint[] {
    const points = [...this.#minutes].flatMap(([startsAt, minute]) => toPoints(startsAt, minute))
    this.#minutes.clear()
    return points
  }

  /** Returns points that could not be stored. */
  putBack(points: readonly MetricPoint[]): void {
    for (const point of points) {
      if (point.kind === 'count') this.count(point.startsAt, point.name, point.label, point.value)
      else if (point.kind === 'peak') this.peak(point.startsAt, point.name, point.label, point.value)
      else this.histogram(point.startsAt, point.name).merge(LatencyHistogram.of(point.histogram))
    }
  }

  #minute(startsAt: number): Minute {
    let minute = this.#minutes.get(startsAt)
    if (minute !== undefined) return minute
    minute = { counts: new Map(), peaks: new Map(), histograms: new Map() }
    this.#minutes.set(startsAt, minute)
    // Minutes pile up while the store fails. The oldest is then merged into the next: late, but not lost.
    if (this.#minutes.size > limits.metrics.pendingMinutesMax) {
      const [oldest, next] = [...this.#minutes.keys()].sort((one, other) => one - other)
      const moved = toPoints(oldest!, this.#minutes.get(oldest!)!)
      this.#minutes.delete(oldest!)
      this.putBack(moved.map((point) => ({ ...point, startsAt: next! })))
      return this.#minute(startsAt === oldest ? next! : startsAt)
    }
    return minute
  }
}

type Minute = {
  readonly counts: Map<string, { readonly name: CounterName; readonly label: string; value: number }>
  readonly peaks: Map<string, { readonly name: GaugeName; readonly label: string; value: number }>
  readonly histograms: Map<LatencyName, LatencyHistogram>
}

function toPoints(startsAt: number, { counts, peaks, histograms }: Minute): MetricPoint[] {
  return [
    ...[...counts.values()].map((count) => ({ kind: 'count' as const, startsAt, ...count })),
    ...[...peaks.values()].map((peak) => ({ kind: 'peak' as const, startsAt, ...peak })),
    ...[...histograms].map(([name, histogram]) => {
      return { kind: 'histogram' as const, startsAt, name, label: noLabel, histogram: histogram.data() }
    }),
  ]
}

/** Names contain no space. */
function keyOf(name: string, label: string): string {
  return `${name} ${label}`
}
