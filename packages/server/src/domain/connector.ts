/** Kinds of data sources (Table 3.1). */
const connectorTypes = [
  'syslog', 'http_ndjson', 'elastic_bulk', 'splunk_hec', 'otlp_http', 'http_poll', 'file', 'kafka', 'nats',
  'vulnerability_scanner', 'taxii', 'csv_feed',
] as const
export type ConnectorType = (typeof connectorTypes)[number]

/** Types to which others send over HTTP; each of their connectors has a token of its own. */
const pushTypes = ['http_ndjson', 'elastic_bulk', 'splunk_hec', 'otlp_http'] as const satisfies readonly ConnectorType[]
export type PushType = (typeof pushTypes)[number]

export function isPushType(type: ConnectorType): type is PushType {
  return pushTypes.some((pushType) => pushType === type)
}

/** How a connector is (D-01). */
export const connectorStatuses = ['pending', 'healthy', 'degraded', 'unhealthy', 'disabled'] as const
export type ConnectorStatus = (typeof connectorStatuses)[number]

/** A configured source of a tenant's events. */
export type Connector = {
  readonly id: string
  readonly name: string
  readonly type: ConnectorType
  readonly isEnabled: boolean
  /** Settings by their names in the API, without the secret ones. */
  readonly config: ConnectorConfig
  /** Secret settings, each as it was sealed. */
  readonly sealedSecrets: { readonly [key: string]: string }
  readonly health: ConnectorHealth
  /** Counts the changes by somebody, from 1; checks change none. */
  readonly version: number
  readonly createdAt: number
  readonly updatedAt: number
}

export type ConnectorConfig = { readonly [key: string]: unknown }

export type ConnectorHealth = {
  readonly status: ConnectorStatus
  readonly message: string
  readonly consecutiveFailures: number
  /** The last check and what it found; undefined before the first. */
  readonly checkedAt: number | undefined
  readonly checks: readonly ConnectorCheck[]
}

/** One thing that a check looks at, and what it found (D-03). */
export type ConnectorCheck = {
  readonly type: 'connectivity' | 'authentication' | 'data_flow'
  readonly status: 'pass' | 'warn' | 'fail' | 'skip'
  readonly message: string
  /** Of connectivity. */
  readonly latencyMs?: number
  /** Of data flow. */
  readonly eventsInLastMinute?: number
}

/** Events of a connector that came in, those that could not be taken, and the bytes of all. */
export type IngestCounts = { readonly receivedCount: number; readonly refusedCount: number; readonly byteCount: number }

/** What changes how a connector is. */
export type ConnectorHealthEvent =
  | { readonly kind: 'checked'; readonly at: number; readonly checks: readonly ConnectorCheck[] }
  | { readonly kind: 'enabled' }
  | { readonly kind: 'disabled' }

/** How a connector begins. */
export const newConnectorHealth: ConnectorHealth = {
  status: 'pending', message: 'not checked yet', consecutiveFailures: 0, checkedAt: undefined, checks: [],
}

/**
 * Says how a connector is after something happened (D-02). One that is disabled stays so whatever a check that was
 * under way finds; a check that could look at nothing leaves the status as it is.
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
  return { status: 'healthy', message: passed.message, consecutiveFailures: 0 }
}
