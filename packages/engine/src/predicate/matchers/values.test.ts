import { describe, expect, test } from 'vitest'
import { parseInstant } from '../../event/parse-time.ts'
import type { FieldText, Scalar } from '../../event/value.ts'
import type { ComparisonOperator, FieldRefTest, TimePart } from '../predicate.ts'
import { compileCidr, parseCidr } from './cidr.ts'
import { compileFieldRef } from './field-ref.ts'
import { compileInstant } from './instant.ts'
import { compileNumber, compileNumberComparison } from './number.ts'
import { checkRegex } from './re2.ts'
import { compileRegex } from './regex.ts'
import { compileTimePart } from './time-part.ts'

const regex = (source: string) =>
  ({ kind: 'regex', source, ignoresCase: false, isMultiline: false, dotMatchesNewline: false }) as const

describe('numbers', () => {
  test.for<[number, Scalar, boolean]>([
    [4688, 4688, true],
    [4688, '4688', true],
    [4688, ' 4688 ', true],
    [4688, '4688.0', true],
    [4688, '4.688e3', true],
    [4688, '+4688', true],
    [16, '0x10', false],
    [0, '', false],
    [0, ' ', false],
    [1, true, false],
    [1, null, false],
    [0.5, '.5', true],
    [5, '5.', true],
  ])('%d equals %j: %s', ([value, given, want]) => {
    expect(compileNumber({ kind: 'number', value })(given)).toBe(want)
  })

  test('integers beyond what a double holds are compared digit by digit', () => {
    const isIt = compileNumber({ kind: 'number', value: 9007199254740992, text: '9007199254740993' })
    expect([isIt('9007199254740993'), isIt('9007199254740992'), isIt(9007199254740992)]).toEqual([true, false, false])
  })

  test.for<[ComparisonOperator, number, Scalar, boolean]>([
    ['gt', 5, 6, true],
    ['gt', 5, '5', false],
    ['gte', 5, '5', true],
    ['lt', 5, '-1', true],
    ['lte', 5, 'x', false],
    ['lt', 5, null, false],
  ])('%s %d on %j is %s', ([operator, bound, given, want]) => {
    expect(compileNumberComparison({ kind: 'compare', operator, value: bound })(given)).toBe(want)
  })
})

describe('networks', () => {
  test.for<[string, string, boolean]>([
    ['10.0.0.0/8', '10.1.2.3', true],
    ['10.0.0.0/8', '11.0.0.0', false],
    ['0.0.0.0/0', '255.255.255.255', true],
    ['192.168.1.1', '192.168.1.1', true],
    ['10.0.0.0/8', '::ffff:10.0.0.1', true],
    ['10.0.0.0/8', '::10.0.0.1', false],
    ['fe80::/10', 'fe80::1%eth0', true],
    ['::1/128', '0:0:0:0:0:0:0:1', true],
    ['2001:db8::/32', '2001:DB8:ffff::', true],
    ['2001:db8::/32', '2001:db9::', false],
    ['10.0.0.0/8', '10.1.2', false],
    ['10.0.0.0/8', '10.01.2.3', false],
    ['10.0.0.0/8', '10.00.2.3', false],
    ['10.0.0.0/8', '10.0.0.0', true],
    ['10.0.0.0/8', '10.255.255.255', true],
    ['10.0.0.0/8', '9.255.255.255', false],
    ['10.0.0.0/8', '11.0.0.0', false],
    ['10.0.0.0/8', '10.1.2', false],
    ['10.0.0.0/8', '10.1.2.3.4', false],
    ['10.0.0.0/8', '10.1.2.', false],
    ['10.0.0.0/8', '10.1.2.256', false],
    ['10.0.0.0/8', '10.1.2.0003', false],
    ['10.0.0.0/8', '10.1.2.x', false],
    ['0.0.0.0/0', '255.255.255.255', true],
    ['255.255.255.255/32', '255.255.255.255', true],
    ['128.0.0.0/1', '127.255.255.255', false],
    ['10.0.0.0/8', 'host', false],
    ['::/0', '1:2:3:4:5:6:7:8:9', false],
    ['::/0', ':::', false],
    ['::/0', '1:2:3:4::6:7:8', true],
    ['::/0', '1:2:3:4::5:6:7:8', false],
    ['::/0', '1:2:3:4:5::6:7:8:9', false],
  ])('%s holds %s: %s', ([network, address, want]) => {
    const test = parseCidr(network)
    if ('problem' in test) throw new Error(test.problem)
    expect(compileCidr(test)(address)).toBe(want)
  })

  test.for<[string, RegExp]>([
    ['10.0.0.1/8', /host bits set/],
    ['10.0.0.0/33', /0 to 32/],
    ['fe80::1/10', /host bits set/],
    ['foo', /not an IPv4 or IPv6 network/],
    ['10.0.0.0/', /0 to 32/],
    ['10.0.0.0/-1', /0 to 32/],
    ['10.0.0.0/8e0', /0 to 32/],
  ])('refuses %s', ([network, message]) => {
    const result = parseCidr(network)
    expect('problem' in result ? result.problem : '').toMatch(message)
  })
})

describe('two fields', () => {
  test.for<[FieldRefTest['relation'], FieldText, FieldText, boolean]>([
    ['equals', 'a', 'a', true],
    ['equals', 'a', 'b', false],
    ['equals', ['a', 'b'], 'b', true],
    ['equals', null, 'a', false],
    ['equals', null, null, false],
    ['startswith', 'ab', 'a', true],
    ['startswith', 'ab', 'b', false],
    ['endswith', 'ab', ['x', 'b'], true],
    ['endswith', 'ab', null, false],
    ['contains', ['x', 'abc'], 'b', true],
  ])('%s on %j and %j is %s', ([relation, text, other, want]) => {
    expect(compileFieldRef({ kind: 'fieldRef', field: 'other', relation, isCased: false })(text, other)).toBe(want)
  })
})

describe('parts of time', () => {
  test.for<[TimePart, number, Scalar, boolean]>([
    ['hour', 23, '2024-12-31T23:59:58.123Z', true],
    ['hour', 23, '2024-12-31T23:59:58+05:00', true],
    ['minute', 59, '2024-12-31 23:59:58.123', true],
    ['day', 31, '2024-12-31', true],
    ['month', 12, '2024-12-31', true],
    ['year', 2024, '2024-12-31', true],
    ['week', 1, '2024-12-31', true],
    ['week', 53, '2021-01-03', true],
    ['week', 1, '2021-01-04', true],
    ['hour', 1, 3600, true],
    ['hour', 22, '1700000000000', true],
    ['hour', 0, '2024-02-30T00:00:00Z', false],
    ['hour', 24, '2024-12-31T24:00:00Z', false],
    ['hour', 0, 'midnight', false],
    ['hour', 0, null, false],
    ['year', 1970, 1e300, false],
  ])('%s %d of %j is %s', ([part, value, given, want]) => {
    expect(compileTimePart({ kind: 'timePart', part, operator: 'eq', value })(given)).toBe(want)
  })
})

describe('instants', () => {
  test.for<[value: Scalar, instant: string | undefined]>([
    ['2024-12-31T23:59:58.123Z', '2024-12-31T23:59:58.123Z'],
    ['2024-12-31T23:59:58+05:30', '2024-12-31T18:29:58.000Z'],
    ['2024-12-31T23:59:58-0800', '2025-01-01T07:59:58.000Z'],
    ['2024-12-31 23:59:58,1239', '2024-12-31T23:59:58.123Z'],
    ['2024-12-31T23:59Z', '2024-12-31T23:59:00.000Z'],
    ['2024-12-31T23:59:60Z', '2025-01-01T00:00:00.000Z'],
    [' 2024-12-31 ', '2024-12-31T00:00:00.000Z'],
    [1.2345, '1970-01-01T00:00:01.234Z'],
    [-1, '1969-12-31T23:59:59.000Z'],
    ['1700000000000', '2023-11-14T22:13:20.000Z'],
    ['2024-02-30', undefined],
    ['0001-01-01', undefined],
    ['yesterday', undefined],
    [1e300, undefined],
    ['9e999', undefined],
    [null, undefined],
    [true, undefined],
  ])('%j states %s', ([value, instant]) => {
    const found = parseInstant(value)
    expect(found === undefined ? undefined : new Date(found).toISOString()).toBe(instant)
  })

  test.for<[ComparisonOperator, Scalar, boolean]>([
    ['gte', '1970-01-01T00:00:01Z', true],
    ['gt', '1970-01-01T00:00:01Z', false],
    ['lt', '1970-01-01T02:00:00.999+02:00', true],
    ['lte', 1.001, false],
    ['lte', 'never', false],
  ])('%s the first second after 1970: %j is %s', ([operator, given, want]) => {
    expect(compileInstant({ kind: 'instant', operator, at: 1000 })(given)).toBe(want)
  })
})

describe('regular expressions', () => {
  test.for<[string, string, boolean]>([
    ['a.c', 'xabcx', true],
    ['a.c', 'a\nc', false],
    ['a.c', 'a\rc', true],
    ['A', 'a', false],
    ['(?i)A', 'a', true],
    ['^a$', 'a', true],
    ['^a$', 'a\n', true],
    ['^a$', 'a\nb', false],
    ['a\\$', 'a$b', true],
    ['a[$]', 'a$b', true],
    ['a[]$]', 'a$b', true],
    ['a[[:digit:]$]', 'a$b', true],
    ['(a$|b$)', 'b\n', true],
    ['\\bfoo\\b', 'a foo b', true],
    ['(a+)+$', `${'a'.repeat(50_000)}b`, false],
    ['(a*)*b', 'a'.repeat(50_000), false],
  ])('%s on %.20j is %s', ([source, text, want]) => {
    expect(compileRegex(regex(source))(text)).toBe(want)
  })

  test.for<[string, string | undefined]>([
    ['a+', undefined],
    ['(?=a)', 'unsupported'],
    ['(?<!a)b', 'unsupported'],
    ['(a)\\1', 'unsupported'],
    ['a++', 'unsupported'],
    ['(?>a)', 'unsupported'],
    ['a{5000}', 'unsupported'],
    ['(.{0,1000}){0,1000}', 'unsupported'],
    [`${'('.repeat(2_000)}${')'.repeat(2_000)}`, 'unsupported'],
    ['('.repeat(2_000), 'syntax'],
    ['x'.repeat(5_000), 'unsupported'],
    ['[', 'syntax'],
    ['(a', 'syntax'],
    ['*a', 'syntax'],
    ['a{2,1}', 'unsupported'],
  ])('judges %.30s as %s', ([source, want]) => {
    expect(checkRegex(regex(source))?.kind).toBe(want)
  })
})
