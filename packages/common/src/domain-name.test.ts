import { expect, test } from 'vitest'
import { normalizeDomain, normalizeHostName, listWithParents } from './domain-name.ts'

test.for<[text: string, name: string | undefined]>([
  ['Evil.Example', 'evil.example'],
  ['evil.example.', 'evil.example'],
  ['bücher.example', 'xn--bcher-kva.example'],
  ['BÜCHER.example', 'xn--bcher-kva.example'],
  ['xn--bcher-kva.example', 'xn--bcher-kva.example'],
  ['evil。example', 'evil.example'],
  ['_dmarc.evil.example', '_dmarc.evil.example'],
  ['a-b.example', 'a-b.example'],
  [`${'a'.repeat(63)}.example`, `${'a'.repeat(63)}.example`],
  [`${'a'.repeat(64)}.example`, undefined],
  [`${'a.'.repeat(127)}b`, undefined],
  ['-a.example', undefined],
  ['a..example', undefined],
  ['.example', undefined],
  ['example', undefined],
  ['1.2.3.4', undefined],
  ['a b.example', undefined],
  ['a/b.example', undefined],
  ['x@evil.example', undefined],
  ['', undefined],
])('domain %s is %s', ([text, name]) => {
  expect(normalizeDomain(text)).toBe(name)
})

test.for<[text: string, name: string | undefined]>([
  ['WEB-1', 'web-1'],
  ['web-1.corp.example', 'web-1.corp.example'],
  ['MY_PC', 'my_pc'],
  ['10.0.0.1', undefined],
])('host %s is %s', ([text, name]) => {
  expect(normalizeHostName(text)).toBe(name)
})

test.for<[name: string, names: string[]]>([
  ['a.b.evil.example', ['a.b.evil.example', 'b.evil.example', 'evil.example']],
  ['evil.example', ['evil.example']],
  ['web-1', ['web-1']],
])('%s is under %j', ([name, names]) => {
  expect(listWithParents(name)).toEqual(names)
})
