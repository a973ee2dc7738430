import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Engine } from '../src/index.ts'
import { windowsChannels } from '../src/taxonomy/windows-channels.ts'
import { compileObjects, ruleId } from './compile-objects.ts'
import { nearlyFlatEvents, spelled } from './flat-events.ts'
import { encodeLines, parseLines, expectSameMatches, printMatches } from './compare-push-paths.ts'
import { detectionMatches } from './detection-matches.ts'

/*
 * Pushes lines of flat Windows events, and lines that nearly are, through all input paths of the engine.
 */

const seed = Number(process.env['TRIPLINE_SEED'] ?? 20_261_122)

/** A rule for each way to read an event; rows list the ones that match. */
const selections: { readonly [name: string]: object } = {
  image: { 'Image|endswith': 'who' },
  keyword: ['needle'],
  same: { 'User|fieldref': 'ParentUser' },
  deep: { 'Details.Name': 'who' },
  number: { 'ProcessId|gt': 100 },
  empty: { 'Empty': null, 'Empty|exists': true },
  there: { 'CommandLine|exists': true },
  text: { 'Nested|contains': '"who"' },
  long: { 'CommandLine|contains': 'needle' },
  parent: { ParentImage: 'who' },
}
const names = Object.keys(selections)
const { ruleSet } = compileObjects(Object.values(selections).map((selection) => (
  { logsource: { product: 'windows' }, detection: { selection, condition: 'selection' } }
)))

const flat = '"Channel":"Microsoft-Windows-Sysmon/Operational","EventID":1'
const created = '"Channel":"Security","EventID":4688'

/** Lists the names of the rules that match a line. */
function matched(line: string): string[] {
  return expectSameMatches(ruleSet, [line]).map(({ rule }) => names[Number(rule.id.slice(-12))]!)
}

type Row = [what: string, line: string, rules: string[]]

describe('a line with', () => {
  test.for<Row>([
    ['a field', `{${flat},"Image":"C:\\\\who"}`, ['image']],
    ['none', `{${flat}}`, []],
    ['another spelling', `{${flat},"IMAGE":"who"}`, ['image']],
    ['two other spellings, the first of which counts', `{${flat},"image":"who","IMAGE":"me"}`, []],
    ['two other spellings, in the other order', `{${flat},"IMAGE":"who","image":"me"}`, ['image']],
    ['the field behind another spelling', `{${flat},"IMAGE":"me","Image":"who"}`, ['image']],
    ['a key with an escape', String.raw`{${flat},"\u0049mage":"who"}`, ['image']],
    ['a key twice', `{${flat},"Image":"who","Image":"me"}`, []],
    ['a key twice, the other way', `{${flat},"Image":"me","Image":"who"}`, ['image']],
    ['a value written with an escape', String.raw`{${flat},"Image":"\u0077ho"}`, ['image']],
    ['a keyword written with an escape', String.raw`{${flat},"x":"n\u0065edle"}`, ['keyword']],
    ['a keyword in a nested value', `{${flat},"x":{"y":["a NEEDLE"]}}`, ['keyword']],
    ['a keyword in a key alone', `{${flat},"needle":1}`, []],
    ['a keyword in an annotation', `{${flat},"_note":"needle"}`, []],
    ['the other name of a field', `{${created},"NewProcessName":"who"}`, ['image']],
    ['the other name of a field in another event', `{${flat},"NewProcessName":"who"}`, []],
    ['a field before its other name', `{${created},"NewProcessName":"who","Image":"me"}`, []],
    ['the other name before another spelling', `{${created},"image":"me","NewProcessName":"who"}`, ['image']],
    ['another spelling of the other name', `{${created},"newprocessname":"who"}`, []],
    ['the other name of two fields', `{${created},"ParentProcessName":"who"}`, ['parent']],
    ['a list', `{${flat},"Image":["me","who"]}`, ['image']],
    ['an empty list', `{${flat},"Image":[]}`, []],
    ['an object that is searched as text', `{${flat},"Nested":{"a":"who"}}`, ['text']],
    ['a path', `{${flat},"Details":{"Name":"who"}}`, ['deep']],
    ['a path through a list', `{${flat},"Details":[{"Name":"me"},{"Name":"who"}]}`, ['deep']],
    ['a path as a name', `{${flat},"Details.Name":"who"}`, ['deep']],
    ['a path and its name', `{${flat},"Details.Name":"me","Details":{"Name":"who"}}`, []],
    ['a path as a name in another case', `{${flat},"details.name":"who"}`, ['deep']],
    ['a path in another case', `{${flat},"details":{"name":"who"}}`, []],
    ['equal fields', `{${flat},"User":"x","ParentUser":"X"}`, ['same']],
    ['equal fields, written in two ways', String.raw`{${flat},"User":"x","ParentUser":"\u0078"}`, ['same']],
    ['equal numbers and texts', `{${flat},"User":"1","ParentUser":1}`, ['same']],
    ['equal fields of which one has another name', `{${created},"SubjectUserName":"x","ParentUser":"x"}`, ['same']],
    ['fields that differ', `{${flat},"User":"x","ParentUser":"y"}`, []],
    ['one of two fields', `{${flat},"User":"x"}`, []],
    ['a number', `{${flat},"ProcessId":101}`, ['number']],
    ['a number as a text', `{${flat},"ProcessId":"101"}`, ['number']],
    ['a number that is too small', `{${flat},"ProcessId":1e2}`, []],
    ['null', `{${flat},"Empty":null,"CommandLine":null}`, ['empty', 'there']],
    ['an empty text', `{${flat},"Empty":"","Image":""}`, []],
    ['a NUL', `{${flat},"Image":"\\u0000who","x":"nee\\u0000dle"}`, ['image']],
    ['spaces between all tokens', ` { "Channel" : "Security" ,\t"EventID" : 1 , "Image" : "who" } `, ['image']],
    ['a space in a name', `{"Channel":"Security","Event ID":1,"EventID":1,"Im age":"who"}`, ['image']],
    ['a carriage return', `{${flat},"Image":"who"}\r`, ['image']],
    ['the source at the end', `{"Image":"who","EventID":1,"Channel":"Security"}`, ['image']],
    ['a provider alone', `{"Provider_Name":"Nobody","EventID":"7","Image":"who"}`, ['image']],
    ['no event id', `{"Channel":"Security","Image":"who"}`, []],
    ['a channel that is an object', `{"Channel":{"a":1},"EventID":1,"Image":"who"}`, []],
    ['a provider that is an object', `{"Provider_Name":{},"EventID":1,"Image":"who"}`, []],
    ['a channel that is a list', `{"Channel":["Security"],"EventID":1,"Image":"who"}`, []],
    ['an event id that is an object', `{"Channel":"Security","EventID":{"a":1},"Image":"who"}`, ['image']],
    ['the names of a collector', `{"SourceName":"Nobody","EventID":1,"Image":"who"}`, ['image']],
    ['a logsource of its own', `{${flat},"_logsource":{"product":"linux"},"Image":"who"}`, []],
    ['another shape', `{"Event":{"System":{"Provider":{"Name":"x"},${flat}},"EventData":{"Image":"who"}}}`, ['image']],
    ['no Windows fields', `{"Image":"who"}`, []],
    ['__proto__', `{${flat},"__proto__":{"Image":"who"}}`, []],
    ...[1_023, 1_024, 1_025, 2_047, 2_048, 2_049, 4_095, 4_096, 4_097, 70_000, 262_144, 300_000].map((length): Row => [
      `a value of ${length} characters`, `{${flat},"CommandLine":"${'.'.repeat(length - 6)}needle"}`,
      ['keyword', 'there', 'long'],
    ]),
    ...[2_049, 300_000].map((length): Row => [
      `a key of ${length} characters`, `{${flat},"${'k'.repeat(length)}":1,"Image":"who"}`, ['image'],
    ]),
  ])('%s', ([, line, rules]) => {
    expect(matched(line).toSorted()).toEqual(rules.toSorted())
  })
})

test.for<[what: string, lines: string[], rows: number[]]>([
  ['carriage returns', [`{${flat},"Image":"who"}\r`, '\r', `{${flat},"Image":"who"}\r`], [0, 2]],
  ['a NUL that is no JSON', [`{${flat},"Image":"\0who"}`, `{${flat},"Image":"who"}`, '\0'], [1]],
  ['no-break spaces around a line', [`\u00a0{${flat},"Image":"who"}\u00a0`], [0]],
  ['truncated lines', [`{${flat},"Image":"who"`, `{${flat},"Image":"wh`, `{${flat},"Image":"who"}`], [2]],
  ['lines with more behind them',
    [`{${flat},"Image":"who"}{}`, `{${flat},"Image":"who"},`, `{${flat},"Image":"who"}`], [2]],
  ['invalid JSON', [`{${flat},"Image":"who",}`, `{${flat},Image:"who"}`, `{${flat},"x":01,"Image":"who"}`,
    `{${flat},"x":.5,"Image":"who"}`, `{${flat},"x":"\\x","Image":"who"}`, `{${flat},'Image':"who"}`], []],
])('bytes with %s match like parsed lines', ([, lines, rows]) => {
  const { matches, malformed, lineCount, eventCount } = new Engine(ruleSet).pushBytes(encodeLines(lines))
  expect(detectionMatches(matches).map(({ row }) => row)).toEqual(rows)
  expect(lineCount).toBe(lines.length)
  expect(eventCount).toBe(parseLines(lines).length)
  expect(malformed).toHaveLength(lines.filter((line) => line.trim() !== '').length - eventCount)
  expect(printMatches(new Engine(ruleSet).push(parseLines(lines)))).toHaveLength(rows.length)
})

test('invalid UTF-8 is decoded like TextDecoder does', () => {
  const line = Buffer.from(`{${flat},"Image":"?who","x":"?needle","I?":"who"}`)
  const bytes = Uint8Array.from(line, (byte) => (byte === 0x3f ? 0xff : byte))
  const { matches } = new Engine(ruleSet).pushBytes(bytes)
  expect(matches.map(({ rule }) => rule.id)).toEqual([ruleId(0), ruleId(1)])
})

test('fieldref reads its field in any case, at any time', () => {
  const lines = ['User', 'USER', 'user', 'uSER'].map((name) => `{${flat},"${name}":"x","ParentUser":"x"}`)
  expect(detectionMatches(expectSameMatches(ruleSet, lines)).map(({ row }) => row)).toEqual([0, 1, 2, 3])
})

test('fieldref works with any number of spellings and kinds of events', () => {
  const { ruleSet: pairs } = compileObjects([1, 2, 3, 4, 5, 6].map((number) => ({
    logsource: { product: 'windows' },
    detection: { selection: { 'TargetFilename|fieldref': `Other${number}` }, condition: 'selection' },
  })))
  const kinds = windowsChannels.map(([channel]) => (
    `{"Channel":"${channel}","EventID":0,"TargetFilename":"x","Other1":"y"}`))
  const lines = Array.from({ length: 300 }, (_, at) => `{${flat},"${spelled('TargetFilename', at)}":"x","Other1":"x"}`)
  expect(expectSameMatches(pairs, [...kinds, ...lines])).toHaveLength(lines.length)
})

test(`nearly flat events match like their lines, seed ${seed}`, () => {
  const logsources = [
    { product: 'windows' }, { product: 'windows', service: 'security' }, { category: 'process_creation' },
    { product: 'linux' }, { category: 'registry_set' }, { product: 'rpc_firewall', category: 'application' },
  ]
  const detections = [selections['image'], ['who'], { 'Message|fieldref': 'Image' }, { Signature: 'who', EventID: 1 }]
  const { ruleSet: several } = compileObjects(logsources.flatMap((logsource) => detections.map((selection) => (
    { logsource, detection: { selection, condition: 'selection' } }
  ))))
  let matchCount = 0
  fc.assert(fc.property(fc.array(nearlyFlatEvents, { minLength: 1, maxLength: 12, size: 'max' }), (batch) => {
    matchCount += expectSameMatches(several, batch.map((event) => JSON.stringify(event))).length
  }), { seed, numRuns: 300 })
  expect(matchCount).toBeGreaterThan(1_000)
})
