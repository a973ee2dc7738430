import type { ShipperTable } from './shipper-configuration.ts'

type SourceFile = { readonly name: string; readonly lines: readonly string[] }

/** Sources of a collector: one file each, beside its `collector.yaml`. */
const files: {
  readonly [Type in 'file' | 'journald' | 'syslog' | 'http_poll' | 'kafka' | 'nats' | 'vulnerability_scanner']: SourceFile
} = {
  file: { name: 'logs', lines: ['type: file', 'paths: [/var/log/auth.log, /var/log/audit/audit.log]'] },
  journald: { name: 'journal', lines: ['type: journald'] },
  syslog: { name: 'syslog', lines: ['type: syslog', 'port: 5514', 'transport: tcp'] },
  http_poll: {
    name: 'poll',
    lines: ['type: http_poll', 'url: https://api.example/v1/logs', 'items_path: data', 'cursor_path: meta.next'],
  },
  kafka: { name: 'kafka', lines: ['type: kafka', "brokers: ['kafka-1.example.com:9092']", 'topic: logs'] },
  nats: { name: 'nats', lines: ['type: nats', "servers: ['tls://nats.example.com:4222']", "subject: 'logs.>'"] },
  vulnerability_scanner: {
    name: 'scanner',
    lines: ['type: vulnerability_scanner', 'api_url: https://scanner.example:3780', 'api_key: file:/etc/tripline/scanner.key'],
  },
}

/** The configurations of a type that collectors run; none for the others. */
export function listCollectorSources(type: string): ShipperTable {
  const [source] = Object.entries(files).filter(([name]) => name === type).map(([, file]) => file)
  if (source === undefined) return []
  return [{
    product: 'tripline-collector', name: 'Tripline collector', language: 'yaml', file: `/etc/tripline/sources.d/${source.name}.yaml`,
    print: () => source.lines.join('\n'),
  }]
}

/** Types that collectors run. */
export const collectorTypes = Object.keys(files)
