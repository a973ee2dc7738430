import type {
  ConnectorBody, ConnectorCheckBody, ConnectorHealthBody,
  ConnectorTestBody,
} from '@tripline/contract/console/sources/connector'
import { secretMask } from '@tripline/contract/console/sources/connector-config'
import type { Connector, ConnectorCheck, ConnectorStatus } from '@tripline/model/connector'
import { formatTimestamp } from '../../http/format-timestamp.ts'
import { roundToThousandth } from '../../http/round.ts'
import { spanSeconds } from '../../ingestion/connectors/connector-counters.ts'
import type { ConnectorWithStats } from './connectors.ts'
import type { ConnectorTestReport } from './test-connector.ts'

/** Prints a connector with its secrets masked. */
export function printConnector(
  { connector, totals, eventsInLastMinute, spans, lagMs, delayMs, collectorId }: ConnectorWithStats,
): ConnectorBody {
  const { id, name, type, isEnabled, config, sealedSecrets, health, createdAt, updatedAt } = connector
  const masked = Object.fromEntries(Object.keys(sealedSecrets).map((key) => [key, secretMask]))
  return {
    id,
    name,
    type,
    status: health.status,
    enabled: isEnabled,
    health: {
      last_check: formatTimestamp(health.checkedAt),
      message: health.message,
      consecutive_failures: health.consecutiveFailures,
    },
    stats: {
      events_received_total: totals.receivedCount,
      events_failed_total: totals.failedCount,
      bytes_received_total: totals.byteCount,
      events_per_second: roundToThousandth(eventsInLastMinute / 60),
      last_event_at: formatTimestamp(totals.lastEventAt),
      ...(spans && printSpans(spans)),
      lag_seconds: toSeconds(lagMs),
      delay_seconds: toSeconds(delayMs),
    },
    config: { ...config, ...masked },
    ...(collectorId !== undefined && { managed_by: 'collector' as const, collector_id: collectorId }),
    created_at: formatTimestamp(createdAt),
    updated_at: formatTimestamp(updatedAt),
  }
}

function toSeconds(ms: number | undefined): number | null {
  return ms === undefined ? null : Math.round(ms / 1_000)
}

function printSpans(
  spans: NonNullable<ConnectorWithStats['spans']>,
): Pick<ConnectorBody['stats'], 'events_per_second_15m' | 'error_rate_15m'> {
  const sum = (count: 'receivedCount' | 'refusedCount'): number => spans.reduce((total, span) => total + span[count], 0)
  const [received, refused] = [sum('receivedCount'), sum('refusedCount')]
  return {
    events_per_second_15m: spans.map(({ receivedCount }) => roundToThousandth(receivedCount / spanSeconds)),
    error_rate_15m: refused === 0 ? 0 : roundToThousandth((100 * refused) / (received + refused)),
  }
}

/** Prints the health of a connector and its status history. */
export function printConnectorHealth(
  { id, health }: Connector, history: readonly { readonly at: number; readonly status: ConnectorStatus }[],
): ConnectorHealthBody {
  return {
    connector_id: id,
    status: health.status,
    last_check: formatTimestamp(health.checkedAt),
    checks: health.checks.map(printCheck),
    history: history.map(({ at, status }) => ({ timestamp: formatTimestamp(at), status })),
  }
}

/** Prints the result of a connector test, with sample events. */
export function printConnectorTest(report: ConnectorTestReport): ConnectorTestBody {
  const { connectorId, status, checks, sample, testedAt, durationMs } = report
  return {
    connector_id: connectorId ?? null,
    status,
    checks: checks.map(printCheck),
    tested_at: formatTimestamp(testedAt),
    duration_ms: durationMs,
    ...(sample.length > 0 && { sample: [...sample] }),
  }
}

function printCheck({ type, status, message, latencyMs, eventsInLastMinute }: ConnectorCheck): ConnectorCheckBody {
  return {
    type, status, message,
    ...(latencyMs !== undefined && { latency_ms: latencyMs }),
    ...(eventsInLastMinute !== undefined && { events_in_last_minute: eventsInLastMinute }),
  }
}
