import type { TenantId } from './tenant.ts'

/** Types of connectors. */
const connectorTypes = [
  'syslog', 'http_ndjson', 'elastic_bulk', 'splunk_hec', 'otlp_http', 'http_poll', 'file', 'kafka', 'nats',
  'vulnerability_scanner', 'taxii', 'csv_feed', 'journald',
] as const
export type ConnectorType = (typeof connectorTypes)[number]

/** Types that receive events over HTTP, each connector with its own token. */
const pushTypes = ['http_ndjson', 'elastic_bulk', 'splunk_hec', 'otlp_http'] as const satisfies readonly ConnectorType[]
export type PushType = (typeof pushTypes)[number]

export function isConnectorType(type: string): type is ConnectorType {
  return connectorTypes.some((known) => known === type)
}

export function isPushType(type: ConnectorType): type is PushType {
  return pushTypes.some((pushType) => pushType === type)
}

/** Health statuses of a connector. */
export const connectorStatuses = ['pending', 'healthy', 'degraded', 'unhealthy', 'disabled'] as const
export type ConnectorStatus = (typeof connectorStatuses)[number]

/** A configured source of a tenant's events. */
export type Connector = {
  readonly id: string
  readonly name: string
  readonly type: ConnectorType
  readonly isEnabled: boolean
  /** Settings by API name, without secrets. */
  readonly config: ConnectorConfig
  /** Encrypted secret settings. */
  readonly sealedSecrets: { readonly [key: string]: string }
  readonly health: ConnectorHealth
  /** Counts configuration changes, from 1; checks do not count. */
  readonly version: number
  readonly createdAt: number
  readonly updatedAt: number
}

export type ConnectorConfig = { readonly [key: string]: unknown }

export type ConnectorHealth = {
  readonly status: ConnectorStatus
  readonly message: string
  readonly consecutiveFailures: number
  /** The last check and its results; undefined before the first. */
  readonly checkedAt: number | undefined
  readonly checks: readonly ConnectorCheck[]
}

/** One part of a health check and its result. */
export type ConnectorCheck = {
  readonly type: 'connectivity' | 'authentication' | 'data_flow'
  readonly status: 'pass' | 'warn' | 'fail' | 'skip'
  readonly message: string
  /** Of connectivity. */
  readonly latencyMs?: number
  /** Of data flow. */
  readonly eventsInLastMinute?: number
}

/** Events that a connector received and rejected, and their bytes. */
export type IngestCounts = { readonly receivedCount: number; readonly refusedCount: number; readonly byteCount: number }

/** What changes the health of a connector. */
export type ConnectorHealthEvent =
  | { readonly kind: 'checked'; readonly at: number; readonly checks: readonly ConnectorCheck[] }
  | { readonly kind: 'enabled' }
  | { readonly kind: 'disabled' }

/** The health of a new connector. */
export const newConnectorHealth: ConnectorHealth = {
  status: 'pending', message: 'not checked yet', consecutiveFailures: 0, checkedAt: undefined, checks: [],
}

/**
 * Computes the next health of a connector. A disabled one stays disabled, whatever a running check finds; a check that could
 * not check anything keeps the status, and one that could only check a part leaves it pending.
 */
export function computeNextHealth(health: ConnectorHealth, occurrence: ConnectorHealthEvent): ConnectorHealth {
  if (occurrence.kind === 'disabled') return { ...health, status: 'disabled', message: 'disabled', consecutiveFailures: 0 }
  if (occurrence.kind === 'enabled') {
    return health.status === 'disabled' ? { ...health, status: 'pending', message: 'not checked yet' } : health
  }
  if (health.status === 'disabled') return health
  return { ...assessChecks(health, occurrence.checks), checkedAt: occurrence.at, checks: occurrence.checks }
}

type CheckAssessment = Pick<ConnectorHealth, 'status' | 'message' | 'consecutiveFailures'>

function assessChecks({ status, consecutiveFailures }: ConnectorHealth, checks: readonly ConnectorCheck[]): CheckAssessment {
  const failed = checks.find((check) => check.status === 'fail')
  if (failed !== undefined) return { status: 'unhealthy', message: failed.message, consecutiveFailures: consecutiveFailures + 1 }
  const warning = checks.find((check) => check.status === 'warn')
  if (warning !== undefined) return { status: 'degraded', message: warning.message, consecutiveFailures: 0 }
  const passed = checks.findLast((check) => check.status === 'pass')
  if (passed === undefined) return { status, message: checks[0]?.message ?? 'nothing to check', consecutiveFailures }
  const awaited = checks.find((check) => check.status === 'skip')
  if (awaited !== undefined) return { status: 'pending', message: awaited.message, consecutiveFailures: 0 }
  return { status: 'healthy', message: passed.message, consecutiveFailures: 0 }
}

/** A change of a connector's status, as `connector_status_change` reports it. */
export type ConnectorTransition = {
  readonly tenant: TenantId
  readonly connectorId: string
  readonly oldStatus: ConnectorStatus
  readonly newStatus: ConnectorStatus
  readonly message: string
  readonly at: number
}
