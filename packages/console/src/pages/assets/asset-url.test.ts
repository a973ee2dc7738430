import { expect, test } from 'vitest'
import { parseUrlState } from '../../lib/url-state.ts'
import { assetParameters, toAssetQuery } from './asset-url.ts'

test.for<{ readonly address: string; readonly query: Record<string, string> }>([
  { address: '', query: {} },
  { address: 'risk=high,critical&q=wks', query: { risk_level: 'critical,high', q: 'wks' } },
  { address: 'stale=no_scan&exploitable=true&asset=a1', query: { blind_spot: 'no_scan', exploitable: 'true' } },
  { address: 'type=server&sort=risk_score:desc', query: { type: 'server', sort: 'risk_score:desc' } },
  { address: 'risk=enormous&exploitable=no&sort=colour:asc', query: {} },
])('?$address', ({ address, query }) => {
  expect(toAssetQuery(parseUrlState(assetParameters, address).state)).toEqual(query)
})
