import { normalizeEvent } from '@tripline/engine/evaluate'
import { expect, test } from 'vitest'
import { extractMatchEvent } from '../match-event.ts'
import { extractObservables } from './observables.ts'
import type { Observables } from './observables.ts'

const bounds = { valuesMax: 4, lengthMax: 300 }
const nothing: Observables = { user: '', host: '', hostAddresses: [], addresses: [], hashes: [], domains: [], urls: [], emails: [] }
const md5 = 'd41d8cd98f00b204e9800998ecf8427e'
const sha256 = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'

function readAll(event: { readonly [field: string]: unknown }): Observables {
  const normalized = normalizeEvent(event, 'auto')
  return extractObservables(normalized, extractMatchEvent(normalized, 300), bounds)
}

test.for<[event: { readonly [field: string]: unknown }, subject: Partial<Observables>]>([
  [{}, {}],
  [{ Computer: 'WEB-1.Corp.Example', User: 'CORP\\alice' }, { host: 'web-1.corp.example', user: 'CORP\\alice' }],
  [{ host: '10.0.0.5' }, { hostAddresses: ['10.0.0.5'], addresses: ['10.0.0.5'] }],
  [{ host: { ip: ['10.0.0.5', 'fe80::1%eth0'] } }, { hostAddresses: ['10.0.0.5', 'fe80::1'], addresses: ['10.0.0.5', 'fe80::1'] }],
  [
    { SourceIp: '10.0.0.5', DestinationIp: '::ffff:192.0.2.7' },
    { hostAddresses: ['10.0.0.5'], addresses: ['10.0.0.5', '192.0.2.7'] },
  ],
  [{ IpAddress: '-' }, {}],
  [{ Hashes: `MD5=${md5.toUpperCase()},SHA256=${sha256},IMPHASH=${md5}` }, { hashes: [md5, sha256] }],
  [{ file: { hash: { sha256 } } }, { hashes: [sha256] }],
  [{ QueryName: 'Evil.Example.' }, { domains: ['evil.example'] }],
  [{ QueryName: 'evil.example', QueryResults: '::ffff:192.0.2.7;192.0.2.8;' }, { domains: ['evil.example'], addresses: ['192.0.2.7', '192.0.2.8'] }],
  [
    { 'c-uri': 'HTTP://Evil.Example/a;b,c#d' },
    { urls: ['http://evil.example/a;b,c'], domains: ['evil.example'] },
  ],
  [{ url: 'http://[2001:DB8::1]/' }, { urls: ['http://[2001:db8::1]/'], addresses: ['2001:db8::1'] }],
  [{ 'url.domain': '192.0.2.7' }, { addresses: ['192.0.2.7'] }],
  [{ user: 'alice@example.org' }, { user: 'alice@example.org', emails: ['alice@example.org'] }],
  [{ sender: 'Mallory@Evil.Example' }, { emails: ['mallory@evil.example'] }],
  [{ dst: ['192.0.2.1', '192.0.2.2', '192.0.2.3', '192.0.2.4', '192.0.2.5'] }, { addresses: ['192.0.2.1', '192.0.2.2', '192.0.2.3', '192.0.2.4'] }],
  [{ url: `http://evil.example/${'a'.repeat(300)}` }, {}],
  [{ src_ip: 17, url: { full: null }, Hashes: {}, query: [[['evil.example']]] }, {}],
  [{ __proto__: null, constructor: 'evil.example' }, {}],
])('%j', ([event, subject]) => {
  expect(readAll(event)).toEqual({ ...nothing, ...subject })
})
