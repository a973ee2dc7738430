import type { TenantId } from '@tripline/model/tenant'
import type { MetricFamily, Sample } from '../metric-family.ts'
import type { BucketHistogram } from './bucket-histogram.ts'
import { listFirstExpiries } from './expiry.ts'
import type { HostStats } from './host-stats.ts'
import type { MonitorSources, ServerMonitor } from './server-monitor.ts'

type ServerFamiliesOptions = {
  readonly monitor: ServerMonitor
  readonly sources: MonitorSources
  readonly tenants: readonly TenantId[]
}

/** Collects the metrics of the server as a whole: HTTP, connections, disk, process, stages. */
export async function collectServerFamilies({ monitor, sources, tenants }: ServerFamiliesOptions): Promise<readonly MetricFamily[]> {
  const { retention, verification, readHost } = monitor
  const ofJobs = (value: 'runs' | 'failures' | 'lastSuccessAtMs', unit = 1): Sample[] =>
    [...monitor.jobs].flatMap(([job, { [value]: count }]) => (count === undefined ? [] : [{ labels: { job }, value: count / unit }]))
  const verified = (value: number | undefined): readonly Sample[] => (value === undefined ? [] : [alone(value)])
  return [
    ...collectRequests(monitor),
    counter('refused_requests_total', 'Requests refused, by error code.', listSamples(monitor.refusals, 'code')),
    counter('failed_logins_total', 'Logins refused for a wrong account, password or code.', [alone(monitor.failedLogins)]),
    counter('log_lines_dropped_total', 'Lines of the log that were dropped, because it was read too slowly.',
      [alone(monitor.countDroppedLogLines())]),
    gauge('http_connections', 'Open HTTP and WebSocket connections.', [alone(monitor.connections)]),
    gauge('http_connections_max', 'Connections accepted at once.', listKnown(monitor.connectionsMax)),
    counter('refused_connections_total', 'Connections refused, by the limit that was reached.',
      listSamples(monitor.refusedConnections, 'limit')),
    counter('evicted_connections_total', 'Connections without a request closed for new ones, by what they were.',
      listSamples(monitor.evictedConnections, 'state')),
    gauge('websocket_connections', 'Open WebSocket connections.', tenants.map((tenant) => {
      return { labels: { tenant }, value: sources.pushConnections(tenant) }
    })),
    histogram('fsync_seconds', 'Duration of disk syncs, by store.', [...monitor.syncs].map(([store, durations]) => {
      return { labels: { store }, durations }
    })),
    gauge('checkpoint_age_seconds', 'Time for which handled messages wait for a checkpoint, by stage.',
      [...sources.checkpointAges()].map(([stage, ageMs]) => ({ labels: { stage }, value: ageMs / 1_000 }))),
    counter('job_runs_total', 'Runs of jobs that ended.', ofJobs('runs')),
    counter('job_failures_total', 'Runs of jobs that failed.', ofJobs('failures')),
    gauge('job_last_success_timestamp_seconds', 'When a job last succeeded, also before a restart.',
      ofJobs('lastSuccessAtMs', 1_000)),
    counter('retention_runs_total', 'Retention runs finished.', [alone(retention.runs)]),
    counter('retention_failures_total', 'Removals of expired data that failed.', [alone(retention.failures)]),
    gauge('retention_last_success_timestamp_seconds', 'When the last retention run without a failure ended.',
      retention.lastSuccessAtMs === undefined ? [] : [alone(retention.lastSuccessAtMs / 1_000)]),
    counter('verify_runs_total', 'Verifications of the data directory that finished.', [alone(verification.runs)]),
    counter('verify_failures_total', 'Verifications of the data directory that did not finish.', [alone(verification.failures)]),
    gauge('verify_last_success_timestamp_seconds', 'When the last verification of the data directory finished.',
      verified(verification.last && verification.last.atMs / 1_000)),
    gauge('verify_last_duration_seconds', 'Duration of the last verification.',
      verified(verification.last && verification.last.durationMs / 1_000)),
    gauge('verify_damaged', 'Damaged places that the last verification found.', verified(verification.last?.damagedCount)),
    gauge('expiry_timestamp_seconds', 'When the first API key of a tenant, certificate or key of the trusted issuer expires, by kind.',
      listFirstExpiries(monitor.expiries).map(({ kind, tenant, expiresAt }) => {
        return { labels: { kind, ...(tenant !== undefined && { tenant }) }, value: expiresAt / 1_000 }
      })),
    ...(readHost === undefined ? [] : collectHost(await readHost())),
  ]
}

function collectRequests({ requests, durations }: ServerMonitor): MetricFamily[] {
  const counted = [...requests.values()].flatMap(({ method, route, statuses }) => {
    return [...statuses].map(([status, value]) => ({ labels: { method, route, status: String(status) }, value }))
  })
  const timed = [...durations].flatMap(([key, lengths]) => {
    const { method, route } = requests.get(key) ?? {}
    return method === undefined || route === undefined ? [] : [{ labels: { method, route }, durations: lengths }]
  })
  return [
    counter('http_requests_total', 'Requests answered, by path template and status.', counted),
    histogram('http_request_duration_seconds', 'Duration of requests, by path template.', timed),
  ]
}

function collectHost({ version, nodeVersion, disk, ...host }: HostStats): MetricFamily[] {
  return [
    gauge('build_info', 'The version of the server and of Node; always 1.', [{ labels: { version, node: nodeVersion }, value: 1 }]),
    gauge('disk_free_bytes', 'Free space on the disk of the data directory.', listKnown(disk?.freeBytes)),
    gauge('disk_size_bytes', 'Size of the disk of the data directory.', listKnown(disk?.sizeBytes)),
    counter('process_cpu_seconds_total', 'Processor time of the process.', [alone(host.cpuSeconds)]),
    gauge('process_resident_memory_bytes', 'Resident memory of the process.', [alone(host.residentBytes)]),
    gauge('process_heap_bytes', 'Used JavaScript heap.', [alone(host.heapBytes)]),
    gauge('process_start_time_seconds', 'When the process started.', [alone(host.startedAtSeconds)]),
    gauge('process_open_fds', 'Open file descriptors.', listKnown(host.openDescriptors)),
    gauge('process_max_fds', 'Maximum of open file descriptors.', listKnown(host.descriptorsMax)),
  ]
}

function histogram(
  name: string, help: string, rows: readonly { readonly labels: Sample['labels']; readonly durations: BucketHistogram }[],
): MetricFamily {
  const samples = rows.flatMap(({ labels, durations }) => {
    const { buckets, count, sumSeconds } = durations.view()
    return [
      ...buckets.map(({ upTo, count: value }) => ({ suffix: '_bucket', labels: { ...labels, le: upTo }, value })),
      { suffix: '_sum', labels, value: sumSeconds },
      { suffix: '_count', labels, value: count },
    ]
  })
  return { name, help, type: 'histogram', samples }
}

function counter(name: string, help: string, samples: readonly Sample[]): MetricFamily {
  return { name, help, type: 'counter', samples }
}

function gauge(name: string, help: string, samples: readonly Sample[]): MetricFamily {
  return { name, help, type: 'gauge', samples }
}

function listSamples(values: ReadonlyMap<string, number>, label: string): Sample[] {
  return [...values].map(([key, value]) => ({ labels: { [label]: key }, value }))
}

function listKnown(value: number | undefined): readonly Sample[] {
  return value === undefined ? [] : [alone(value)]
}

function alone(value: number): Sample {
  return { labels: {}, value }
}
