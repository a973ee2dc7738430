import type { ConnectorType } from '@tripline/model/connector'
import { expect, test } from 'vitest'
import { mergeSettings } from '../../src/ingestion/connectors/connector-settings.ts'

// Types that do not run yet are configured in stores of earlier releases.
test.for<[type: ConnectorType, config: object, sentence: string]>([
  ['syslog', { port: 0 }, 'config.port: must be a port'],
  ['syslog', { port: 514, transport: 'icmp' }, 'config.transport: must be udp, tcp or tls'],
  ['kafka', { brokers: ['k:9092'] }, 'config.topic: is missing'],
])('%s %j is rejected: %s', ([type, config, sentence]) => {
  expect(() => mergeSettings(type, { ...config }, undefined)).toThrow(sentence)
})
