import type { TenantId } from '@tripline/model/tenant'
import { BucketHistogram } from './bucket-histogram.ts'
import type { Expiry } from './expiry.ts'
import type { ReadHostStats } from './host-stats.ts'

/** A handled request; `route` is its path template, so that ids add no labels. */
type HandledRequest = {
  readonly method: string
  readonly route: string
  readonly status: number
  readonly durationMs: number
  /** The error code of a refused request. */
  readonly code: string | undefined
}

/** The last verification of the data directory that finished, whatever it found. */
export type Verification = { readonly atMs: number; readonly durationMs: number; readonly damagedCount: number }

/** How much of the disk is free, from plenty to none to spare: the watermarks of `limits.disk`. */
export type SpaceLevel = 'enough' | 'low' | 'high' | 'flood'

/** The disk of the data directory, as of the last check. */
export type DiskSpace = { readonly freeBytes: number; readonly sizeBytes: number; readonly level: SpaceLevel }

type JobCounts = { runs: number; failures: number; lastSuccessAtMs: number | undefined }

/** What other parts of the server know, read on demand. */
export type MonitorSources = {
  /** Milliseconds for which handled messages wait for a checkpoint, by stage; 0 where none waits. */
  readonly checkpointAges: () => ReadonlyMap<string, number>
  /** The WebSocket connections of a tenant. */
  readonly pushConnections: (tenant: TenantId) => number
}

/**
 * Counts what concerns the whole server and no tenant: requests, connections, logins, disk syncs, retention. It counts
 * since the start of the process, and exports as Prometheus metrics alone.
 */
export class ServerMonitor {
  /** Requests by `method`, `route` and `status`, and their durations by method and route. */
  readonly requests = new Map<string, { readonly method: string; readonly route: string; readonly statuses: Map<number, number> }>()
  readonly durations = new Map<string, BucketHistogram>()
  /** Refused requests by error code. */
  readonly refusals = new Map<string, number>()
  /** Durations of disk syncs by store. */
  readonly syncs = new Map<string, BucketHistogram>()
  /** How long the last disk sync of each store took, in milliseconds. */
  readonly lastSyncMs = new Map<string, number>()
  readonly retention = { runs: 0, failures: 0, lastSuccessAtMs: undefined as number | undefined }
  /** The server's jobs by name; the last success may be of an earlier process. */
  readonly jobs = new Map<string, JobCounts>()
  readonly verification = { runs: 0, failures: 0, last: undefined as Verification | undefined }
  /** What ends and has to be replaced, as of the last check. */
  expiries: readonly Expiry[] = []
  /** Undefined before the first check, and where the system does not report it. */
  diskSpace: DiskSpace | undefined
  readonly readHost: ReadHostStats | undefined
  /** Connections refused by the limit that was reached, and those closed for new ones. */
  readonly refusedConnections = new Map<string, number>()
  readonly evictedConnections = new Map<string, number>()
  failedLogins = 0
  connections = 0
  /** How many connections are accepted at once; undefined before the listener exists. */
  connectionsMax: number | undefined

  /** Lines of the log that were dropped. */
  readonly countDroppedLogLines: () => number

  constructor(readHost?: ReadHostStats, countDroppedLogLines = () => 0) {
    this.readHost = readHost
    this.countDroppedLogLines = countDroppedLogLines
  }

  handled({ method, route, status, durationMs, code }: HandledRequest): void {
    const key = `${method} ${route}`
    const { statuses } = getOrCreate(this.requests, key, () => ({ method, route, statuses: new Map<number, number>() }))
    statuses.set(status, (statuses.get(status) ?? 0) + 1)
    getOrCreate(this.durations, key, () => new BucketHistogram()).add(durationMs)
    if (code !== undefined) increment(this.refusals, code)
  }

  synced(store: string, durationMs: number): void {
    getOrCreate(this.syncs, store, () => new BucketHistogram()).add(durationMs)
    this.lastSyncMs.set(store, durationMs)
  }

  /** Records a finished retention run, and how many removals in it failed. */
  retained(atMs: number, failureCount: number): void {
    this.retention.runs++
    this.retention.failures += failureCount
    if (failureCount === 0) this.retention.lastSuccessAtMs = atMs
  }

  /** Lists a job, with the last success that earlier processes recorded. */
  knowJob(name: string, lastSuccessAtMs: number | undefined): void {
    this.jobs.set(name, { runs: 0, failures: 0, lastSuccessAtMs })
  }

  /** Records the end of a job's run. */
  endedJob(name: string, atMs: number, hasFailed: boolean): void {
    const counts = getOrCreate(this.jobs, name, (): JobCounts => ({ runs: 0, failures: 0, lastSuccessAtMs: undefined }))
    counts.runs++
    if (hasFailed) counts.failures++
    else counts.lastSuccessAtMs = atMs
  }

  refusedConnection(limit: string): void {
    increment(this.refusedConnections, limit)
  }

  evictedConnection(state: string): void {
    increment(this.evictedConnections, state)
  }

  /** Records a finished verification of the data directory. */
  verified(last: Verification): void {
    this.verification.runs++
    this.verification.last = last
  }

  /** Counts a connection until it closes. */
  connected(socket: { readonly once: (event: 'close', listener: () => void) => unknown }): void {
    this.connections++
    socket.once('close', () => void this.connections--)
  }
}

function increment(counts: Map<string, number>, key: string): void {
  counts.set(key, (counts.get(key) ?? 0) + 1)
}

function getOrCreate<Value>(map: Map<string, Value>, key: string, create: () => Value): Value {
  const value = map.get(key) ?? create()
  map.set(key, value)
  return value
}
