import { expect, test } from 'vitest'
import { parseUrlState } from '../../lib/url-state.ts'
import { incidentParameters, toIncidentQuery } from './incident-url.ts'

test.for<{ readonly address: string; readonly query: Record<string, string> }>([
  { address: '', query: {} },
  { address: 'severity=low,critical&q=lsass', query: { severity: 'critical,low', q: 'lsass' } },
  { address: 'status=closed,open&sort=alert_count:desc', query: { status: 'open,closed', sort: 'alert_count:desc' } },
  { address: 'assignee=me&incident=4dfa0620', query: { assignee: 'ana@example.com' } },
  { address: 'assignee=b@example.com', query: { assignee: 'b@example.com' } },
  { address: 'assignee=none', query: { filters: '{"field":"assignee","op":"exists","value":false}' } },
  {
    address: 'tactic=execution&origin=rule',
    query: { filters: '{"and":[{"field":"tactic","op":"eq","value":"execution"},{"field":"origin","op":"eq","value":"rule"}]}' },
  },
  { address: 'severity=info&status=resolved&sort=entities:asc', query: {} },
])('?$address', ({ address, query }) => {
  expect(toIncidentQuery(parseUrlState(incidentParameters, address).state, { email: 'ana@example.com', loadedAt: 0 })).toEqual(query)
})
