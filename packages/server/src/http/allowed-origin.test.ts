import { expect, test } from 'vitest'
import { isAllowedOrigin } from './allowed-origin.ts'

const listed = ['https://console.example', 'http://[::1]:5173']

test.for<[title: string, origin: string, host: string | undefined, isAllowed: boolean]>([
  ['a page of this server', 'http://127.0.0.1:8080', '127.0.0.1:8080', true],
  ['a page of this server by name', 'http://localhost:8080', 'localhost:8080', true],
  ['a page of this server over IPv6', 'http://[::1]:8080', '[::1]:8080', true],
  ['a page behind a proxy that ends TLS', 'https://tripline.example', 'tripline.example', true],
  ['the default port in the Host header', 'https://tripline.example', 'tripline.example:443', true],
  ['another case', 'https://tripline.example', 'Tripline.Example', true],
  ['another port of this host', 'http://127.0.0.1:3000', '127.0.0.1:8080', false],
  ['the default port of the other scheme', 'http://tripline.example', 'tripline.example:443', false],
  ['another name of this address', 'http://localhost:8080', '127.0.0.1:8080', false],
  ['another host', 'https://evil.example', '127.0.0.1:8080', false],
  ['a host that only begins alike', 'http://127.0.0.1:8080.evil.example', '127.0.0.1:8080', false],
  ['a Host header with a user', 'http://evil.example', 'x@evil.example', false],
  ['a Host header with a path', 'http://evil.example', 'evil.example/x', false],
  ['no Host header', 'http://127.0.0.1:8080', undefined, false],
  ['an empty Host header', 'http://127.0.0.1:8080', '', false],
  ['an opaque origin', 'null', 'null', false],
  ['a file', 'file://', '', false],
  ['an origin of another scheme', 'ftp://127.0.0.1', '127.0.0.1', false],
  ['an origin that is no URL', '127.0.0.1:8080', '127.0.0.1:8080', false],
  ['an overlong origin', `http://${'a'.repeat(300)}`, 'a'.repeat(300), false],
  ['an allowed origin', 'https://console.example', '127.0.0.1:8080', true],
  ['an allowed origin with its default port', 'https://console.example:443', '127.0.0.1:8080', true],
  ['an allowed address', 'http://[::1]:5173', '127.0.0.1:8080', true],
  ['an allowed name with another scheme', 'http://console.example', '127.0.0.1:8080', false],
  ['a name below an allowed one', 'https://a.console.example', '127.0.0.1:8080', false],
])('%s', ([, origin, host, isAllowed]) => {
  expect(isAllowedOrigin(origin, host, listed)).toBe(isAllowed)
})
