import { expect, test } from 'vitest'
import { parseUrlState } from '../../lib/url-state.ts'
import { assetParameters, findingParameters, toAssetQuery, toFindingQuery } from './asset-url.ts'

test.for<{ readonly address: string; readonly query: Record<string, string> }>([
  { address: '', query: {} },
  { address: 'risk=high,critical&q=wks', query: { risk_level: 'critical,high', q: 'wks' } },
  { address: 'stale=no_scan&exploitable=true&asset=a1', query: { blind_spot: 'no_scan', exploitable: 'true' } },
  { address: 'criticality=high&overdue=true&sort=last_scan_at:asc', query: { criticality: 'high', overdue: 'true', sort: 'last_scan_at:asc' } },
  { address: 'type=server&sort=risk_score:desc', query: { type: 'server', sort: 'risk_score:desc' } },
  { address: 'risk=enormous&exploitable=no&sort=colour:asc', query: {} },
])('?$address', ({ address, query }) => {
  expect(toAssetQuery(parseUrlState(assetParameters, address).state)).toEqual(query)
})

test.for<{ readonly address: string; readonly query: Record<string, string> }>([
  { address: '', query: { status: 'open' } },
  { address: 'status=all&severity=high&q=tls', query: { severity: 'high', q: 'tls' } },
  { address: 'tab=findings&exploitable=true&overdue=true&sort=due_at:asc', query: { status: 'open', exploitable: 'true', overdue: 'true', sort: 'due_at:asc' } },
])('findings of ?$address', ({ address, query }) => {
  expect(toFindingQuery(parseUrlState(findingParameters, address).state)).toEqual(query)
})
