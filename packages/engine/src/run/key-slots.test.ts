import { describe, expect, test } from 'vitest'
import { spelled } from '../../test/flat-events.ts'
import { noAliases } from '../event/event.ts'
import { keyCodes } from '../kernel/key-codes.ts'
import { limits } from '../limits.ts'
import { windowsAliases } from '../taxonomy/field-aliases.ts'
import { KeySlots } from './key-slots.ts'

const fields = ['Image', 'OriginalFileName', 'originalfilename', 'Details.Name', 'TargetObject']

function slotsOf(learned: (spelling: string) => void = () => expect.unreachable('nothing new')): KeySlots {
  return new KeySlots(fields, learned)
}

describe('a key is', () => {
  test.for<[key: string, code: keyof typeof keyCodes]>([
    ['_logsource', 'slow'],
    ['Process Name', 'slow'],
    [' ', 'slow'],
    ['Details', 'slow'],
    ['details', 'irrelevant'],
    ['Name', 'irrelevant'],
    ['CommandLine', 'irrelevant'],
    ['', 'irrelevant'],
    ['__proto__', 'irrelevant'],
  ])('%j %s', ([key, code]) => {
    expect(slotsOf().getKeyCode(key)).toBe(keyCodes[code])
  })

  const named = ['Channel', 'Provider_Name', 'EventID', 'NewProcessName', 'ThreatName', ...fields]
  test.for(named)('%s a slot of its own', (key) => {
    const slots = slotsOf()
    expect(slots.has(key)).toBe(true)
    expect(slots.getKeyCode(key)).toBe(slots.getSlot(key))
    expect(slots.getKeyCode(key)).toBeGreaterThanOrEqual(0)
  })
})

test('every name has another slot, below the capacity', () => {
  const slots = slotsOf(() => {})
  const keys = ['Channel', 'EventType', 'Computer', 'SubjectUserName', ...fields, 'IMAGE', 'details.name']
  const codes = keys.map((key) => slots.getKeyCode(key))
  expect(new Set(codes).size).toBe(keys.length)
  expect(Math.max(...codes)).toBeLessThan(slots.capacity)
})

test('a new spelling is learned once', () => {
  const learned: string[] = []
  const slots = slotsOf((spelling) => learned.push(spelling))
  expect(slots.getKeyCode('IMAGE')).toBe(slots.getKeyCode('IMAGE'))
  expect(slots.getKeyCode('IMAGE')).not.toBe(slots.getKeyCode('Image'))
  expect(learned).toEqual(['IMAGE'])
})

test('spellings beyond their bound make the line slow, those before stay', () => {
  const slots = new KeySlots(['abcdefghijkl'], () => {})
  const spellings = Array.from({ length: limits.spellingsMax + 1 }, (_, at) => spelled('abcdefghijkl', at + 1))
  const codes = spellings.map((spelling) => slots.getKeyCode(spelling))
  expect(codes.slice(0, -1).every((code) => code >= 0)).toBe(true)
  expect(codes.at(-1)).toBe(keyCodes.slow)
  expect(spellings.slice(0, -1).map((spelling) => slots.getKeyCode(spelling))).toEqual(codes.slice(0, -1))
  expect(slots.getKeyCode('other')).toBe(keyCodes.irrelevant)
})

describe('a field is looked for in', () => {
  const process = windowsAliases.process.none
  test.for<[name: string, aliases: typeof noAliases, ignoresNameCase: boolean, seen: string[], sources: string[]]>([
    ['Image', noAliases, true, [], ['Image']],
    ['Image', process, true, [], ['Image', 'NewProcessName']],
    ['Image', process, true, ['image', 'IMAGE'], ['Image', 'NewProcessName', 'IMAGE', 'image']],
    ['Image', process, false, ['image', 'IMAGE'], ['Image', 'NewProcessName']],
    ['OriginalFileName', noAliases, true, [], ['OriginalFileName', 'originalfilename']],
    ['originalfilename', noAliases, true, ['ORIGINALFILENAME'],
      ['originalfilename', 'ORIGINALFILENAME', 'OriginalFileName']],
  ])('%s: row %#', ([name, aliases, ignoresNameCase, seen, sources]) => {
    const slots = slotsOf(() => {})
    for (const spelling of seen) slots.getKeyCode(spelling)
    expect(slots.findSlots(name, aliases, ignoresNameCase)).toEqual(sources.map((source) => slots.getSlot(source)))
  })
})

test('a field that was not given has no slot', () => {
  expect(slotsOf().has('Hashes')).toBe(false)
  expect(() => slotsOf().getSlot('Hashes')).toThrow(`the field 'Hashes' has no slot`)
})
