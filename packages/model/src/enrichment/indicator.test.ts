import { expectProcessorTime, getThreadCpuMs } from '@tripline/engine/test/processor-time'
import { describe, expect, test } from 'vitest'
import { getIndicatorStatus, isValidAt, normalizeIndicator } from './indicator.ts'
import type { IndicatorType } from './indicator.ts'

describe('an indicator', () => {
  test.for<[from: number, until: number | undefined, at: number, status: string]>([
    [10, 20, 9, 'upcoming'], [10, 20, 10, 'valid'], [10, 20, 19, 'valid'], [10, 20, 20, 'expired'], [10, undefined, 1e13, 'valid'],
  ])('from %i to %s is at %i %s', ([validFrom, validUntil, at, status]) => {
    expect(getIndicatorStatus({ validFrom, validUntil }, at)).toBe(status)
  })

  test.for<[type: IndicatorType, text: string, value: string | undefined]>([
    ['ip', '1.2.3[.]4', '1.2.3.4'],
    ['ip', '1[.]2[.]3[.]4', '1.2.3.4'],
    ['ip', '1(.)2{.}3[dot]4', '1.2.3.4'],
    ['ip', ' 1.2.3.4 ', '1.2.3.4'],
    ['ip', '2001:DB8::0:1', '2001:db8::1'],
    ['ip', '2001[:]db8::1', '2001:db8::1'],
    ['ip', '::ffff:1.2.3.4', '1.2.3.4'],
    ['ip', '1.2.3.4/32', undefined],
    ['ip', 'evil.example', undefined],
    ['cidr', '1.2.3[.]4/24', '1.2.3.0/24'],
    ['cidr', '2001:db8::/32', '2001:db8::/32'],
    ['cidr', '1.2.3.4', undefined],
    ['domain', 'Evil[.]Example', 'evil.example'],
    ['domain', 'evil (dot) example', 'evil.example'],
    ['domain', 'bücher[.]example', 'xn--bcher-kva.example'],
    ['domain', 'evil\\.example', 'evil.example'],
    ['domain', '1.2.3.4', undefined],
    ['domain', 'https://evil.example', undefined],
    ['url', 'hxxp://evil[.]example/A?b=C#d', 'http://evil.example/A?b=C'],
    ['url', 'hXXps[:]//EVIL.example:443', 'https://evil.example/'],
    ['url', 'h**p[://]evil.example', 'http://evil.example/'],
    ['url', 'fxp://evil.example/a', 'ftp://evil.example/a'],
    ['url', 'http://bücher.example/a/../b', 'http://xn--bcher-kva.example/b'],
    ['url', 'http://[2001:DB8::1]/', 'http://[2001:db8::1]/'],
    ['url', 'javascript:alert(1)', undefined],
    ['url', 'evil.example/a', undefined],
    ['url', 'http://', undefined],
    ['url', `http://evil.example/${'a'.repeat(4_096)}`, undefined],
    ['hash', 'D41D8CD98F00B204E9800998ECF8427E', 'd41d8cd98f00b204e9800998ecf8427e'],
    ['hash', 'a'.repeat(40), 'a'.repeat(40)],
    ['hash', 'A'.repeat(64), 'a'.repeat(64)],
    ['hash', 'a'.repeat(128), 'a'.repeat(128)],
    ['hash', 'a'.repeat(41), undefined],
    ['hash', 'g'.repeat(32), undefined],
    ['email', 'Mallory[@]Evil[.]Example', 'mallory@evil.example'],
    ['email', 'mallory [at] evil [dot] example', 'mallory@evil.example'],
    ['email', 'mallory@bücher.example', 'mallory@xn--bcher-kva.example'],
    ['email', 'mallory@evil', undefined],
    ['email', '@evil.example', undefined],
    ['email', 'a b@evil.example', undefined],
  ])('%s %s is %s', ([type, text, value]) => {
    expect(normalizeIndicator(type, text)).toBe(value)
    if (value !== undefined) expect(normalizeIndicator(type, value)).toBe(value)
  })

  test.for<[at: number, isValid: boolean]>([
    [99, false],
    [100, true],
    [199, true],
    [200, false],
  ])('from 100 until 200 counts at %i: %s', ([at, isValid]) => {
    expect(isValidAt({ validFrom: 100, validUntil: 200 }, at)).toBe(isValid)
  })

  test('without an end does not expire', () => {
    expect(isValidAt({ validFrom: 100, validUntil: undefined }, Number.MAX_SAFE_INTEGER)).toBe(true)
  })

  test.for<[title: string, text: string]>([
    ['brackets', '['.repeat(1_000_000)],
    ['blanks', ' '.repeat(1_000_000)],
    ['dots in brackets', '[.]'.repeat(300_000)],
  ])('a million %s are looked at in a moment', ([, text]) => {
    const startedMs = getThreadCpuMs()
    for (const type of ['ip', 'cidr', 'domain', 'url', 'hash', 'email'] as const) {
      expect(normalizeIndicator(type, `a${text}a`)).toBeUndefined()
    }
    expectProcessorTime(getThreadCpuMs() - startedMs, 3_000)
  })
})
