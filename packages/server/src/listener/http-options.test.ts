import { createServer } from 'node:http'
import { expect, test } from 'vitest'
import { httpOptions } from './http-options.ts'

test('headers have ten seconds, and slow requests are looked for every second', () => {
  const server = createServer(httpOptions)
  expect([server.headersTimeout, httpOptions.connectionsCheckingInterval]).toEqual([10_000, 1_000])
})
