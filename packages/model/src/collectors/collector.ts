import type { ConnectorStatus } from '../connector.ts'

/**
 * States of a collector: `pending` is enrolled and was never heard, `degraded` is heard and has an unhealthy source or a full
 * buffer, `offline` was not heard for some time, `retired` was revoked by an administrator.
 */
export const collectorStates = ['pending', 'online', 'degraded', 'offline', 'retired'] as const
export type CollectorStatus = (typeof collectorStates)[number]

/** An installed agent that runs sources and sends their events. */
export type Collector = {
  readonly id: string
  readonly name: string
  readonly hostname: string
  /** The version of its program. */
  readonly release: string
  readonly os: string
  readonly osFamily: string
  readonly status: CollectorStatus
  /** When the server last heard it; undefined before the first time. */
  readonly lastSeenAt: number | undefined
  /** What it last said of itself; undefined before the first time. */
  readonly report: CollectorReport | undefined
  /** Counts the changes of users, from 1. */
  readonly version: number
  readonly createdAt: number
  readonly updatedAt: number
}

/** The state of a collector, as its heartbeat tells it. */
export type CollectorReport = {
  readonly uptimeSeconds: number
  readonly cpuPercent: number | null
  readonly memoryMb: number | null
  readonly lastError: string | null
  readonly configVersion: string | null
  /** How far its clock is ahead of the server's, in milliseconds; null where it stated no time. */
  readonly clockSkewMs: number | null
  readonly sources: readonly CollectorSource[]
  readonly buffer: CollectorBuffer
}

/** A source that a collector runs. */
export type CollectorSource = {
  readonly name: string
  readonly type: string
  readonly status: ConnectorStatus
  readonly eventsPerSecond: number
  readonly lastEventAt: number | null
  readonly lastError: string | null
  /** What it read since its program started; undefined for programs that do not report it. */
  readonly counts?: SourceCounts | undefined
  /** What it read since it was first reported: starts of its program do not set it back. */
  readonly totals?: SourceCounts | undefined
}

type SourceCounts = { readonly events: number; readonly bytes: number; readonly dropped: number }

/** Events that wait on the disk of a collector. */
type CollectorBuffer = {
  readonly events: number
  readonly bytes: number
  readonly capacityBytes: number
  readonly oldestEventAt: number | null
  readonly droppedTotal: number
}

/** What a heartbeat tells of a collector. */
export type CollectorHeartbeat = Pick<Collector, 'hostname' | 'release' | 'os' | 'osFamily'> & {
  readonly at: number
  readonly status: CollectorStatus
  readonly report: CollectorReport
}

/** The share of its buffer at which a collector is degraded. */
const fullShare = 0.8

/** The status of a collector that is heard. */
export function assessReport({ sources, buffer }: Pick<CollectorReport, 'sources' | 'buffer'>): 'online' | 'degraded' {
  const isFull = buffer.capacityBytes > 0 && buffer.bytes > fullShare * buffer.capacityBytes
  return isFull || sources.some(({ status }) => status === 'unhealthy') ? 'degraded' : 'online'
}

/** Adds what sources report, counted since their program started, to the totals of the report before. */
export function addSourceTotals(sources: readonly CollectorSource[], before: readonly CollectorSource[]): readonly CollectorSource[] {
  const known = new Map(before.map((source) => [source.name, source]))
  return sources.map((source) => {
    const { counts: last, totals } = known.get(source.name) ?? {}
    const { counts } = source
    if (counts === undefined) return { ...source, totals }
    // A count that went down began again at 0.
    const isContinued = last !== undefined && counts.events >= last.events && counts.bytes >= last.bytes && counts.dropped >= last.dropped
    const add = (name: keyof SourceCounts): number => (totals?.[name] ?? 0) + counts[name] - (isContinued ? last[name] : 0)
    return { ...source, totals: { events: add('events'), bytes: add('bytes'), dropped: add('dropped') } }
  })
}

/** A token with which one collector enrols, once. */
export type EnrolmentToken = {
  readonly hash: string
  /** The name of the collector that it enrols; its host name where this is empty. */
  readonly name: string
  readonly createdAt: number
  readonly expiresAt: number
}
