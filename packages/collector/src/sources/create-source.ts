import type { SourceConfig } from '../config/source-config.ts'
import { createBrokerSource } from './broker-source.ts'
import { createJournaldSource } from './journald-source.ts'
import { createFileSource } from './file-source.ts'
import { createHttpPollSource } from './http-poll-source.ts'
import { createScannerSource } from './scanner-source.ts'
import type { RunSource } from './source.ts'
import { createSyslogSource } from './syslog-source.ts'

/** Makes a source of its configuration. */
export function createSource(config: SourceConfig): RunSource {
  switch (config.type) {
    case 'file': return createFileSource(config)
    case 'syslog': return createSyslogSource(config)
    case 'journald': return createJournaldSource(config)
    case 'http_poll': return createHttpPollSource(config)
    case 'kafka':
    case 'nats': return createBrokerSource(config)
    case 'vulnerability_scanner': return createScannerSource(config)
  }
}
