import { expect, test } from 'vitest'
import { connectorStatuses, newConnectorHealth, computeNextHealth } from './connector.ts'
import type { ConnectorCheck, ConnectorHealthEvent, ConnectorStatus } from './connector.ts'

/** Letters for what connectivity, authentication and data flow came out as. */
const outcomes = { p: 'pass', w: 'warn', f: 'fail', s: 'skip' } as const
const types = ['connectivity', 'authentication', 'data_flow'] as const

function checksOf(letters: string): ConnectorCheck[] {
  return types.map((type, index) => {
    const letter = letters[index]
    const status = letter === 'p' || letter === 'w' || letter === 'f' ? outcomes[letter] : 'skip'
    return { type, status, message: `${type} ${status}` }
  })
}

function occurrenceOf(word: string): ConnectorHealthEvent {
  return word === 'enabled' || word === 'disabled' ? { kind: word } : { kind: 'checked', at: 100, checks: checksOf(word) }
}

test.for<[before: ConnectorStatus, failures: number, happened: string, after: string]>([
  ['pending', 0, 'ppp', 'healthy 0: data_flow pass'],
  ['pending', 0, 'pps', 'pending 0: data_flow skip'],
  ['pending', 0, 'pss', 'pending 0: authentication skip'],
  ['pending', 0, 'sss', 'pending 0: connectivity skip'],
  ['pending', 0, 'fss', 'unhealthy 1: connectivity fail'],
  ['pending', 0, 'pfs', 'unhealthy 1: authentication fail'],
  ['pending', 0, 'ppf', 'unhealthy 1: data_flow fail'],
  ['pending', 0, 'ppw', 'degraded 0: data_flow warn'],
  ['healthy', 0, 'ppp', 'healthy 0: data_flow pass'],
  ['healthy', 0, 'pps', 'pending 0: data_flow skip'],
  ['healthy', 0, 'fss', 'unhealthy 1: connectivity fail'],
  ['healthy', 0, 'pfs', 'unhealthy 1: authentication fail'],
  ['healthy', 0, 'ppw', 'degraded 0: data_flow warn'],
  ['healthy', 0, 'sss', 'healthy 0: connectivity skip'],
  ['healthy', 0, 'enabled', 'healthy 0: before'],
  ['healthy', 0, 'disabled', 'disabled 0: disabled'],
  ['degraded', 0, 'ppp', 'healthy 0: data_flow pass'],
  ['degraded', 0, 'ppw', 'degraded 0: data_flow warn'],
  ['degraded', 0, 'pfw', 'unhealthy 1: authentication fail'],
  ['degraded', 0, 'disabled', 'disabled 0: disabled'],
  ['unhealthy', 3, 'fss', 'unhealthy 4: connectivity fail'],
  ['unhealthy', 3, 'ppp', 'healthy 0: data_flow pass'],
  ['unhealthy', 3, 'ppw', 'degraded 0: data_flow warn'],
  ['unhealthy', 3, 'sss', 'unhealthy 3: connectivity skip'],
  ['unhealthy', 3, 'disabled', 'disabled 0: disabled'],
  ['disabled', 0, 'ppp', 'disabled 0: before'],
  ['disabled', 0, 'fss', 'disabled 0: before'],
  ['disabled', 0, 'enabled', 'pending 0: not checked yet'],
  ['disabled', 0, 'disabled', 'disabled 0: disabled'],
])('%s with %i failures, %s: %s', ([status, consecutiveFailures, happened, after]) => {
  const health = { ...newConnectorHealth, status, message: 'before', consecutiveFailures }
  const next = computeNextHealth(health, occurrenceOf(happened))
  expect(`${next.status} ${next.consecutiveFailures}: ${next.message}`).toBe(after)
})

test('a check is stored with its time, unless the connector is disabled', () => {
  for (const status of connectorStatuses) {
    const next = computeNextHealth({ ...newConnectorHealth, status }, occurrenceOf('ppp'))
    expect(next.checkedAt).toBe(status === 'disabled' ? undefined : 100)
    expect(next.checks).toEqual(status === 'disabled' ? [] : checksOf('ppp'))
  }
})
