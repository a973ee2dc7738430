import type { HostileRule } from './hostile-rule.ts'
import { ruleText, selectionText } from './hostile-rule.ts'

type Expected = HostileRule[2]

const refused: Expected = ['invalid', 'unsupported']
const either: Expected = ['compiled', 'invalid', 'unsupported']

function list<Value>(count: number, value: (at: number) => Value): Value[] {
  return Array.from({ length: count }, (_, at) => value(at))
}

function regexRule(attempt: string, pattern: string, verdicts: Expected): HostileRule {
  return [`re of ${attempt}`, () => selectionText({ 'a|re': pattern }), verdicts]
}

function item(attempt: string, key: string, value: () => unknown, verdicts: Expected): HostileRule {
  return [attempt, () => selectionText({ [key]: value() }), verdicts]
}

/** Creates a rule with a YAML value that JSON cannot express. */
function plainItem(attempt: string, key: string, value: string, verdicts: Expected): HostileRule {
  return [attempt, () => ruleText(`sel:\n  ${key}: ${value}\ncondition: sel`), verdicts]
}

/** Regular expressions that are slow in a backtracking engine, need one, or are not valid. */
const regexRules: readonly HostileRule[] = [
  regexRule('nested repetitions', '(a+)+$', either),
  regexRule('nested stars', '((a*)*)*b', either),
  regexRule('overlapping alternatives', '(a|a|aa)+$', either),
  regexRule('an empty alternative, repeated', '(|a)*(|b)*c', either),
  regexRule('500 times anything', '.*'.repeat(500) + 'x', either),
  regexRule('200 optional letters', 'a?'.repeat(200) + 'a'.repeat(200), either),
  regexRule('a count of 100,000', 'a{1,100000}', refused),
  regexRule('a count of counts', '(a{1000}){1000}', refused),
  regexRule('counts four deep', '((((a{9}){9}){9}){9})', either),
  regexRule('counts four deep of 100', '((((a{100}){100}){100}){100})', refused),
  regexRule('a count that overflows', 'a{99999999999999999999}', refused),
  regexRule('a count backwards', 'a{3,1}', refused),
  regexRule('groups 2,000 deep', '('.repeat(2_000) + 'a' + ')'.repeat(2_000), either),
  regexRule('300 alternatives', list(300, (at) => `word${at}.*x`).join('|'), either),
  regexRule('10,000 characters', 'ab'.repeat(5_000), refused),
  regexRule('a look ahead', 'a(?=b)', ['unsupported']),
  regexRule('a negative look ahead', 'a(?!b)', ['unsupported']),
  regexRule('a look behind', '(?<=a)b', ['unsupported']),
  regexRule('a back-reference', '(a)\\1', ['unsupported']),
  regexRule('a named back-reference', '(?P<x>a)(?P=x)', refused),
  regexRule('an atomic group', '(?>a+)b', refused),
  regexRule('a possessive repetition', 'a++b', refused),
  regexRule('a recursion', '(a(?R)?b)', refused),
  regexRule('a condition', '(a)?(?(1)b|c)', refused),
  regexRule('a group that is not closed', '(a', ['invalid']),
  regexRule('a group that is not opened', 'a)', ['invalid']),
  regexRule('a class that is not closed', '[a', ['invalid']),
  regexRule('a class backwards', '[z-a]', ['invalid']),
  regexRule('a repetition of nothing', '*a', ['invalid']),
  regexRule('a last backslash', 'a\\', ['invalid']),
  regexRule('an unknown property', '\\p{Nonsense}', refused),
  regexRule('nothing', '', either),
  regexRule('a NUL', 'a\0b', either),
  regexRule('a lone surrogate', '\ud800', either),
  item('re of a number', 'a|re', () => 5, ['invalid']),
  item('re of a map', 'a|re', () => ({ b: 'c' }), ['invalid']),
  item('1,000 regular expressions', 'a|re', () => list(1_000, (at) => `x${at}.*y${at}`), either),
]

/** Values and modifiers that multiply, overflow or have the wrong type. */
const valueRules: readonly HostileRule[] = [
  item('64 KB of wildcards', 'a', () => 'a*'.repeat(32_000), either),
  item('64 KB of question marks', 'a', () => '?'.repeat(65_000), either),
  item('64 KB of stars', 'a|contains', () => '*'.repeat(65_000), either),
  item('64 KB of backslashes', 'a|endswith', () => '\\'.repeat(65_000), either),
  item('64 KB of letters', 'a|contains', () => 'a'.repeat(65_000), either),
  item('a value of 200 KB', 'a', () => 'a'.repeat(200_000), ['invalid']),
  item('25,000 values', 'a', () => list(25_000, (at) => `x${at}`), ['invalid']),
  item('15,000 needles', 'a|contains', () => list(15_000, (at) => `x${at}`), either),
  item('5,000 needles that all begin alike', 'a|contains|all', () => list(5_000, (at) => 'a'.repeat(at % 100)), either),
  item('2,000 patterns that backtrack', 'a', () => list(2_000, (at) => `*a*a*a*${at}`), either),
  item('1,000 dashes', 'a|windash', () => ' -a'.repeat(1_000), either),
  item('20,000 dashes', 'a|contains|windash', () => ' -a'.repeat(20_000), either),
  item('1,000 dashes, encoded', 'a|windash|base64offset|contains', () => ' -a'.repeat(1_000), refused),
  item('7 dashes, encoded at each offset', 'a|windash|base64offset|contains', () => ' -a'.repeat(7), refused),
  item('12 dashes, encoded', 'a|windash|base64', () => ' -a'.repeat(12), refused),
  item('base64offset of 60 KB', 'a|base64offset|contains', () => 'x'.repeat(60_000), either),
  item('wide of 60 KB, encoded', 'a|wide|base64offset|contains', () => 'x'.repeat(60_000), either),
  item('base64 of base64, 10 times', `a${'|base64'.repeat(10)}`, () => 'x'.repeat(1_000), either),
  item('base64offset of base64offset, 12 times', `a${'|base64offset'.repeat(12)}`, () => 'foobar', refused),
  item('wide, 16 times', `a${'|wide'.repeat(16)}`, () => 'foobar', either),
  item('base64offset of one letter', 'a|base64offset|contains', () => 'x', either),
  item('base64offset of nothing', 'a|base64offset|contains', () => '', either),
  item('100 modifiers', `a${'|contains'.repeat(100)}`, () => 'x', ['invalid']),
  item('10,000 bars', `a${'|'.repeat(10_000)}`, () => 'x', ['invalid']),
  item('a modifier of the prototype', 'a|__proto__', () => 'x', ['invalid']),
  item('a modifier named like a method', 'a|hasOwnProperty', () => 'x', ['invalid']),
  item('20 placeholders in one value', 'a|expand', () => '%ten%'.repeat(20), refused),
  item('4 placeholders in 10,000 values', 'a|expand', () => list(10_000, (at) => `%ten%%ten%${at}`), refused),
  item('a placeholder of the prototype', 'a|expand', () => '%__proto__%', ['needs_configuration']),
  item('a placeholder named like a method', 'a|expand', () => '%toString%', ['needs_configuration']),
  item('1,000 missing placeholders', 'a|expand', () => list(1_000, (at) => `%missing${at}%`), ['needs_configuration']),
  item('placeholders without end', 'a|expand', () => '%'.repeat(60_001), either),
  item('a network without an end', 'a|cidr', () => `${'1.'.repeat(30_000)}/8`, ['invalid']),
  item('a network of colons', 'a|cidr', () => ':'.repeat(60_000), ['invalid']),
  item('a network of too many bits', 'a|cidr', () => '::/129', ['invalid']),
  item('a network of negative bits', 'a|cidr', () => '10.0.0.0/-1', ['invalid']),
  item('a network of two lengths', 'a|cidr', () => '10.0.0.0/8/8', ['invalid']),
  item('a network of nine groups', 'a|cidr', () => '1:2:3:4:5:6:7:8:9/64', ['invalid']),
  item('a network in hexadecimal', 'a|cidr', () => '0x0a000000/8', ['invalid']),
  item('a network of a number', 'a|cidr', () => 10, ['invalid']),
  item('fieldref of itself', 'a|fieldref', () => 'a', either),
  item('fieldref of a field of 60 KB', 'a|fieldref', () => 'b'.repeat(60_000), either),
  item('fieldref of the prototype', '__proto__|fieldref', () => 'constructor', ['compiled']),
  item('a field of 60 KB', 'k'.repeat(60_000), () => 'x', either),
  item('a field of 10,000 dots', `a${'.a'.repeat(10_000)}`, () => 'x', either),
  item('a field of dots only', '....', () => 'x', either),
  item('fields of the prototype', '__proto__.polluted|contains', () => 'x', ['compiled']),
  item('exists of a list of both', 'a|exists', () => [true, false], either),
  item('a map as a value', 'a', () => ({ b: { c: 'x' } }), ['invalid']),
  item('lists in lists of values', 'a', () => [[['x']]], ['invalid']),
  item('an empty list of values', 'a', () => [], ['invalid']),
  item('gt of a text', 'a|gt', () => '5', ['invalid']),
  item('hour of a list of texts', 'a|hour', () => ['1', '2'], ['invalid']),
  plainItem('an integer that a double cannot hold', 'a', '9007199254740993', either),
  plainItem('an integer of 10,000 digits', 'a', '9'.repeat(10_000), either),
  plainItem('a number beyond doubles', 'a', '1e999', either),
  plainItem('gt of a number beyond doubles', 'a|gt', '-1e999', either),
  plainItem('gt of what is no number', 'a|gt', '.nan', either),
  plainItem('infinity', 'a', '.inf', either),
  plainItem('a hexadecimal number', 'a', '0xFFFFFFFFFFFFFFFFFFFF', either),
  plainItem('a moment in time', 'a', '2024-01-02T03:04:05Z', ['compiled']),
  plainItem('a tagged number', 'a', '!!int "0x10"', either),
  ['10,000 fields', () => selectionText(Object.fromEntries(list(10_000, (at) => [`field${at}`, 'x']))), either],
  ['5,000 maps', () => selectionText(list(5_000, (at) => ({ a: `x${at}`, 'b|contains': `y${at}` }))), either],
  ['10,000 keywords', () => selectionText(list(10_000, (at) => `keyword${at}`)), either],
  ['a null among keywords', () => selectionText(['x', null]), either],
  ['nothing as a selection', () => ruleText('sel:\ncondition: sel'), ['invalid']],
]

export const hostileItems: readonly HostileRule[] = [...regexRules, ...valueRules]

/** The placeholders of the texts above. */
export const hostilePlaceholders = { ten: list(10, (at) => `value${at}*`) }
