import { describe, expect, it } from 'vitest'
import { Engine, compileRules } from '@tripline/engine'
import { normalizeEvent } from '../../packages/engine/src/taxonomy/normalize.ts'
import { FleetValues } from './fleet-values.ts'
import { generateOtherLines, generateWindowsLines } from './generate-events.ts'
import { otherTemplates } from './other-templates.ts'
import { windowsShapes } from './shapes.ts'
import type { WindowsShape } from './shapes.ts'
import { windowsTemplates } from './windows-templates.ts'

const shapes = Object.keys(windowsShapes) as WindowsShape[]
const eventCount = 10_000
const flatEvents = parseLines(generateWindowsLines({ seed: 11, count: eventCount }, 'flat'))

function parseLines(lines: readonly string[]): { readonly [field: string]: unknown }[] {
  return lines.map((line) => JSON.parse(line))
}

function fieldsOf(line: string): { readonly [field: string]: unknown } {
  return normalizeEvent(JSON.parse(line), 'auto').fields
}

describe('generated events', () => {
  it.each(shapes)('are the same for a seed and others for another one: %s', (shape) => {
    const lines = generateWindowsLines({ seed: 7, count: 50 }, shape)
    expect(generateWindowsLines({ seed: 7, count: 50 }, shape)).toEqual(lines)
    expect(generateWindowsLines({ seed: 8, count: 50 }, shape)).not.toEqual(lines)
  })

  it('are the same for a seed and others for another one: other products', () => {
    const lines = generateOtherLines({ seed: 7, count: 50 })
    expect(generateOtherLines({ seed: 7, count: 50 })).toEqual(lines)
    expect(generateOtherLines({ seed: 8, count: 50 })).not.toEqual(lines)
  })

  it.each(windowsTemplates.map(({ eventId }) => eventId))('of kind %i come, each with all its fields', (eventId) => {
    const events = parseLines(generateWindowsLines({ seed: 3, count: 20 }, 'flat', [eventId]))
    const names = Object.keys(windowsTemplates.find((template) => template.eventId === eventId)!.data)
    expect(events).toHaveLength(20)
    for (const event of events) expect(Object.keys(event)).toEqual(expect.arrayContaining(names))
  })

  it('come in the proportions of their weights', () => {
    const sum = windowsTemplates.reduce((total, { weight }) => total + weight, 0)
    for (const { eventId, weight } of windowsTemplates) {
      const count = flatEvents.filter(({ EventID }) => EventID === eventId).length
      const expected = (eventCount * weight) / sum
      // Five standard deviations of a binomial count.
      expect(Math.abs(count - expected), `events of kind ${eventId}`).toBeLessThan(5 * Math.sqrt(expected) + 1)
    }
  })

  it.each([
    'ProcessGuid', 'ParentProcessGuid', 'LogonGuid', 'Hashes', 'ProcessId', 'NewProcessId', 'ParentProcessId', 'SourcePort',
    '@timestamp', 'UtcTime', 'Computer',
    'SubjectUserName', 'TargetUserName', 'SubjectUserSid', 'CommandLine', 'ParentCommandLine', 'TargetFilename', 'TargetObject',
    'QueryName', 'DestinationHostname', 'SourceHostname',
    'WorkstationName', 'PipeName', 'ScriptBlockText', 'ScriptBlockId', 'ContextInfo', 'EventRecordID',
  ])('do not repeat a value of %s', (field) => {
    const values = flatEvents.filter((event) => !isConstant(field, event)).flatMap((event) => event[field] ?? [])
    expect(values.length).toBeGreaterThan(30)
    expect(new Set(values).size).toBe(values.length)
  })

  it('repeat the paths of common programs and dlls', () => {
    for (const field of ['Image', 'ParentImage', 'ImageLoaded']) {
      const values = flatEvents.flatMap((event) => event[field] ?? [])
      const distinctShare = new Set(values).size / values.length
      expect(distinctShare, field).toBeGreaterThan(0.01)
      expect(distinctShare, field).toBeLessThan(0.6)
    }
  })

  it.each(shapes)('are recognized by the taxonomy and have the fields of the flat ones: %s', (shape) => {
    const flat = generateWindowsLines({ seed: 13, count: 500 }, 'flat')
    for (const [i, line] of generateWindowsLines({ seed: 13, count: 500 }, shape).entries()) {
      const { logsources, fields } = normalizeEvent(JSON.parse(line), 'auto')
      expect(logsources).toEqual(normalizeEvent(JSON.parse(flat[i]!), 'auto').logsources)
      expect(logsources[0]?.product).toBe('windows')
      expect(fields).toMatchObject(dataOf(fieldsOf(flat[i]!)))
    }
  })

  it.each(otherTemplates)('are recognized by the taxonomy: $name', ({ event }) => {
    const values = new FleetValues(1, 0)
    values.beginEvent()
    const filled = values.fill(event) as { readonly [field: string]: unknown }
    expect(normalizeEvent(filled, 'auto').logsources).not.toEqual([])
    expect(JSON.stringify(filled)).not.toMatch(/\{#?[a-zA-Z]+\d*\}|undefined|NaN/)
  })

  it('match a rule for an uncommon program now and then, the same in every shape', () => {
    const text = [
      'title: Registry read from the command line', 'logsource: { product: windows, category: process_creation }',
      "detection: { selection: { Image|endswith: ['\\reg.exe', '\\net.exe'], CommandLine|contains: '\\' }, condition: selection }",
    ].join('\n')
    const { ruleSet } = compileRules([{ path: 'reg.yml', text }])
    const counts = shapes.map((shape) => {
      const lines = generateWindowsLines({ seed: 17, count: 4_000 }, shape)
      return new Engine(ruleSet).pushBytes(Buffer.from(lines.join('\n'))).matches.length
    })
    expect(counts[0]).toBeGreaterThan(0)
    expect(new Set(counts)).toEqual(new Set([counts[0]]))
  })

  it('refuse a template that names an unknown value', () => {
    expect(() => new FleetValues(1, 0).fillText('a {missing} value')).toThrow("a template names 'missing'")
  })
})

const headerFields: ReadonlySet<string> = new Set([
  '@timestamp', 'Channel', 'Computer', 'EventID', 'EventRecordID', 'Execution_ProcessID', 'Execution_ThreadID', 'Keywords', 'Level',
  'Opcode', 'Provider_Name', 'Security_UserID', 'Task', 'Version',
])

/** The values of the event's data, without the header, which collectors name and print differently. */
function dataOf(fields: { readonly [field: string]: unknown }): { readonly [field: string]: unknown } {
  return Object.fromEntries(Object.entries(fields).filter(([name]) => !headerFields.has(name)))
}

/** Whether an event of its kind always has the same value of a field, as the logon's process has none. */
function isConstant(field: string, { EventID }: { readonly [field: string]: unknown }): boolean {
  const template = windowsTemplates.find(({ eventId }) => eventId === EventID)?.data[field]
  return template !== undefined && !template.includes('{')
}
