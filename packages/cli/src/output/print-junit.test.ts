import { describe, expect, test } from 'vitest'
import { readXml } from '../../test/read-xml.ts'
import { printJunit } from './print-junit.ts'
import type { JunitCase } from './print-junit.ts'

const passed: JunitCase = { name: 'a', classname: 'x.yml', line: 3, ms: 12.4, outcome: 'passed', message: '', details: '' }
const failed: JunitCase = { ...passed, name: 'b', outcome: 'failed', message: 'expected a match, found none', details: 'line\nline' }
const skipped: JunitCase = { ...passed, name: 'c', outcome: 'skipped', message: 'no rule' }

describe('JUnit XML', () => {
  test('counts tests of suites and of all', () => {
    const root = readXml(printJunit([
      { name: 'one', file: 'x.yml', cases: [passed, failed] }, { name: 'two', file: 'y.yml', cases: [skipped] },
    ]))
    expect(root.name).toBe('testsuites')
    expect(root.attributes).toEqual({ name: 'tripline rules test', tests: '3', failures: '1', errors: '0', skipped: '1', time: '0.037' })
    expect(root.children.map(({ name, attributes }) => ({ element: name, ...attributes }))).toEqual([
      { element: 'testsuite', name: 'one', file: 'x.yml', tests: '2', failures: '1', errors: '0', skipped: '0', time: '0.025' },
      { element: 'testsuite', name: 'two', file: 'y.yml', tests: '1', failures: '0', errors: '0', skipped: '1', time: '0.012' },
    ])
  })

  test('prints the outcome of each test', () => {
    const [suite] = readXml(printJunit([{ name: 'one', file: 'x.yml', cases: [passed, failed, skipped] }])).children
    expect(suite?.children.map(({ attributes: { name, classname, line } }) => [name, classname, line]))
      .toEqual([['a', 'x.yml', '3'], ['b', 'x.yml', '3'], ['c', 'x.yml', '3']])
    expect(suite?.children.map(({ children }) => children.map(({ name, attributes, text }) => [name, attributes['message'], text])))
      .toEqual([[], [['failure', 'expected a match, found none', 'line\nline']], [['skipped', 'no rule', '']]])
  })

  test('of no tests is a document, too', () => {
    expect(readXml(printJunit([])).children).toEqual([])
  })

  test.for<[written: string, read: string]>([
    [`<a & "b" 'c'>`, `<a & "b" 'c'>`],
    [']]>', ']]>'],
    ['&amp;', '&amp;'],
    ['two\nlines', 'two\nlines'],
    ['a tab\tand a bell\u0007', 'a tab\tand a bell\u{fffd}'],
    ['\u0000\u001b[31m', '\u{fffd}\u{fffd}[31m'],
    ['half of a pair \ud83d', 'half of a pair \u{fffd}'],
    ['a whole one 😀', 'a whole one 😀'],
    ['\ufffe and \uffff', '\u{fffd} and \u{fffd}'],
    ['carriage\r\nreturn', 'carriage\u{fffd}\nreturn'],
  ])('holds %j wherever texts stand', ([written, read]) => {
    const one: JunitCase = { ...failed, name: written, classname: written, message: written, details: written }
    const [suite] = readXml(printJunit([{ name: written, file: written, cases: [one] }])).children
    const [testCase] = suite!.children
    const [failure] = testCase!.children
    expect([
      suite?.attributes['name'], suite?.attributes['file'], testCase?.attributes['name'], testCase?.attributes['classname'],
      failure?.attributes['message'], failure?.text,
    ]).toEqual([read, read, read, read, read, read])
  })

  test.for<[text: string, message: string]>([
    ['<a>', 'not one element, closed'],
    ['<a></b>', '</b> closes <a>'],
    ['<a>&</a>', 'an ampersand that begins no reference'],
    ['<a b="<"/>', 'no XML from offset 0 on'],
    ['<a b="1" b="2"/>', 'an attribute twice in b="1" b="2"'],
    ['<a/><b/>', 'not one element, closed'],
    ['<a>\u0001</a>', 'a character that XML does not have'],
    ['text', 'not one element, closed'],
  ])('%j is refused by the check', ([text, message]) => {
    expect(() => readXml(text)).toThrow(message)
  })
})
