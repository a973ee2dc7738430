import type { CorrelationCounts, CorrelationHealth } from './correlation-options.ts'
import type { RunningCorrelation } from './running-correlation.ts'
import type { EventClock } from './time/event-clock.ts'
import type { Instant } from './time/time-scale.ts'

/** The counts of all correlations that run, with those of their clock and of events that none of them took. */
export function sumCounts(
  stages: readonly RunningCorrelation[], clock: EventClock, counts: Pick<CorrelationCounts, 'ungrouped' | 'unmeasured' | 'evicted'>,
): CorrelationCounts {
  const sum = (of: (stage: RunningCorrelation) => number): number => stages.reduce((total, stage) => total + of(stage), 0)
  return {
    ...clock.counts,
    ...counts,
    evicted: counts.evicted + sum(({ windows }) => windows.evictedCount),
    degraded: sum((stage) => Number(isDegraded(stage, clock.newestAt))),
    groups: sum(({ windows }) => windows.groupCount),
    events: sum(({ windows }) => windows.eventCount),
    pending: sum(({ buffer }) => buffer.size),
    bytes: sum(({ windows }) => windows.byteLength),
  }
}

/** What each correlation remembers, and whether it lost some of what it needs. */
export function listHealth(stages: readonly RunningCorrelation[], newestAt: Instant): readonly CorrelationHealth[] {
  return stages.map((stage) => {
    const { planned: { rule: { id } }, windows, buffer } = stage
    return {
      id, groups: windows.groupCount, events: windows.eventCount, pending: buffer.size, bytes: windows.byteLength,
      evicted: windows.evictedCount, isDegraded: isDegraded(stage, newestAt),
    }
  })
}

function isDegraded({ windows }: RunningCorrelation, newestAt: Instant): boolean {
  return windows.degradedUntil > -Infinity && (newestAt === Infinity || newestAt <= windows.degradedUntil)
}
