import { expect, test } from 'vitest'
import { readSessionClient } from './session-client.ts'

const windows = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64)'
const chrome = 'AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Safari/537.36'
const iphone = 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko)'

test.for([
  [`${windows} ${chrome}`, { browser: 'Chrome', system: 'Windows' }],
  [`${windows} ${chrome} Edg/130.0.0.0`, { browser: 'Edge', system: 'Windows' }],
  [`${windows} ${chrome} OPR/115.0.0.0`, { browser: 'Opera', system: 'Windows' }],
  ['Mozilla/5.0 (X11; Linux x86_64; rv:132.0) Gecko/20100101 Firefox/132.0', { browser: 'Firefox', system: 'Linux' }],
  ['Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) HeadlessChrome/130.0.0.0 Safari/537.36', { browser: 'Chrome', system: 'Linux' }],
  ['Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Safari/605.1.15', { browser: 'Safari', system: 'macOS' }],
  [`${iphone} Version/18.0 Mobile/15E148 Safari/604.1`, { browser: 'Safari', system: 'iOS' }],
  [`${iphone} CriOS/130.0.0.0 Mobile/15E148 Safari/604.1`, { browser: 'Chrome', system: 'iOS' }],
  [`Mozilla/5.0 (Linux; Android 14; SM-S911B) AppleWebKit/537.36 (KHTML, like Gecko) SamsungBrowser/26.0 Chrome/122.0.0.0 Safari/537.36`, { browser: 'Samsung Internet', system: 'Android' }],
  ['Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Safari/537.36', { browser: 'Chrome', system: 'ChromeOS' }],
  ['curl/8.10.1', { browser: 'curl' }],
  ['Mozilla/5.0 (compatible)', {}],
  ['<script>alert(1)</script>', {}],
  ['', {}],
] as const)('%s is %o', ([userAgent, client]) => {
  expect(readSessionClient({ ip: '192.0.2.7', userAgent })).toEqual({ address: '192.0.2.7', ...client })
})

test('a session without a request states nothing, and of a long user agent only the begin is read', () => {
  expect(readSessionClient({ ip: undefined, userAgent: undefined })).toEqual({})
  expect(readSessionClient({ ip: '', userAgent: `${'x'.repeat(600)} Firefox/1` })).toEqual({ browser: 'x'.repeat(40) })
})
