import { runningTypes } from '@tripline/contract/console/sources/connector'
import type { ConnectorTypeBody, ShipperConfigurationBody } from '@tripline/contract/console/sources/connector-type'
import { isConnectorType, isPushType } from '@tripline/model/connector'
import type { ConnectorType } from '@tripline/model/connector'
import { isBrokerType } from '../../../ingestion/connectors/broker/message-source.ts'
import { collectorTypes, listCollectorSources } from './collector-sources.ts'
import { elasticShippers, ndjsonShippers, otlpShippers, splunkShippers } from './http-shippers.ts'
import { listFields } from './list-fields.ts'
import { placeholders } from './intake-address.ts'
import type { IntakeAddress } from './intake-address.ts'
import type { ShipperTable } from './shipper-configuration.ts'
import { syslogShippers } from './syslog-shippers.ts'

const shippers: { readonly [Type in ConnectorType]?: ShipperTable } = {
  syslog: syslogShippers,
  elastic_bulk: elasticShippers,
  splunk_hec: splunkShippers,
  otlp_http: otlpShippers,
  http_ndjson: ndjsonShippers,
}

/** Lists the connector types that run, on the server or a collector: settings, and the configurations that point products at `address`. */
export function listConnectorTypes(address: IntakeAddress): ConnectorTypeBody[] {
  const isRunning = (type: string): boolean => runningTypes.some((running) => running === type)
  return [...new Set([...runningTypes, ...collectorTypes])].filter(isConnectorType).map((type) => {
    const table = [...shippers[type] ?? [], ...listCollectorSources(type)]
    return {
      type,
      direction: getDirection(type),
      runs_on: [...(isRunning(type) ? ['server' as const] : []), ...(collectorTypes.includes(type) ? ['collector' as const] : [])],
      fields: listFields(type),
      configurations: table.map(({ print, ...shipper }) => ({ ...shipper, ...withPlaceholders(print(address)) })),
    }
  })
}

function withPlaceholders(text: string): Pick<ShipperConfigurationBody, 'text' | 'placeholders'> {
  return { text, placeholders: placeholders.filter((word) => text.includes(word)) }
}

function getDirection(type: ConnectorType): ConnectorTypeBody['direction'] {
  if (isPushType(type)) return 'push'
  if (isBrokerType(type)) return 'consume'
  if (type === 'syslog') return 'listen'
  return type === 'file' || type === 'journald' ? 'collector' : 'poll'
}
