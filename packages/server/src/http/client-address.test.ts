import { parseNetwork } from '@tripline/common/network'
import { Hono } from 'hono'
import { expect, test } from 'vitest'
import { getClientAddress } from './client-address.ts'
import type { Env } from './route.ts'

const trusted = ['10.0.0.0/24', '2001:db8::/32'].map((text) => parseNetwork(text)!)

test.for<[connected: string, forwarded: string | undefined, address: string, proxies?: typeof trusted]>([
  ['192.0.2.1', undefined, '192.0.2.1'],
  ['10.0.0.1', undefined, '10.0.0.1'],
  ['10.0.0.1', '203.0.113.9', '203.0.113.9'],
  ['2001:db8::1', '203.0.113.9', '203.0.113.9'],
  ['::ffff:10.0.0.1', '203.0.113.9', '203.0.113.9'],
  ['10.0.0.1', '203.0.113.9', '10.0.0.1', []],
  ['192.0.2.1', '203.0.113.9', '192.0.2.1'],
  ['10.0.0.1', '127.0.0.1, 203.0.113.9, 10.0.0.2', '203.0.113.9'],
  ['10.0.0.1', '10.0.0.3,10.0.0.2', '10.0.0.3'],
  ['10.0.0.1', '203.0.113.9, unknown', '10.0.0.1'],
  ['10.0.0.1', '203.0.113.9, ', '10.0.0.1'],
  ['10.0.0.1', '203.0.113.9:4711', '10.0.0.1'],
])('%s that says %s is %s', async ([connected, forwarded, address, proxies = trusted]) => {
  const http = new Hono<Env>()
  http.get('/', (c) => c.text(getClientAddress(c, proxies) ?? ''))
  const headers = forwarded === undefined ? {} : { 'x-forwarded-for': forwarded }
  const response = await http.request('/', { headers }, { incoming: { socket: { remoteAddress: connected } } })
  expect(await response.text()).toBe(address)
})
