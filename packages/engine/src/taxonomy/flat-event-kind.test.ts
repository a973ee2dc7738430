import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { nearlyFlatEvents } from '../../test/flat-events.ts'
import { printLogsources } from '../../test/print-logsources.ts'
import type { EventObject } from '../event/event.ts'
import { isFlatKindKey, flatAliases, flatKindFields, normalizeFlatEvent } from './flat-event-kind.ts'
import { normalizeEvent } from './normalize.ts'

const seed = 20_261_122
const kindFields = new Map(flatKindFields.map(({ name, isValueRead }) => [name, isValueRead]))

/** What the router keeps of an event: the fields that tell its kind, texts that are not read as any other text. */
function keptOf(event: EventObject): EventObject {
  const kept = Object.entries(event).filter(([name]) => kindFields.has(name))
  return Object.fromEntries(kept.map(([name, value]) => {
    const isReplaced = kindFields.get(name) === false && typeof value === 'string' && value !== ''
    return [name, isReplaced ? '?' : value]
  }))
}

test(`the kind of a flat event depends only on its kind fields, seed ${seed}`, () => {
  const kinds = new Set<string>()
  fc.assert(fc.property(nearlyFlatEvents, (event) => {
    const kind = normalizeFlatEvent(event)
    const keptKind = normalizeFlatEvent(keptOf(event))
    expect(keptKind === undefined).toBe(kind === undefined)
    if (kind === undefined || keptKind === undefined) return
    // The same arrays and maps: kinds differ by what they are, not by what they hold.
    expect(keptKind.logsources).toBe(kind.logsources)
    expect(keptKind.aliases).toBe(kind.aliases)
    expect(keptKind.ignoresNameCase).toBe(kind.ignoresNameCase)
    const normalized = normalizeEvent(event, 'auto')
    expect(normalized.fields).toBe(event)
    expect(normalized.logsources).toBe(kind.logsources)
    expect(normalized.aliases).toBe(kind.aliases)
    expect(normalized.ignoresNameCase).toBe(kind.ignoresNameCase)
    for (const alias of [...kind.aliases.values()].flat()) expect(flatAliases).toContain(alias)
    kinds.add(printLogsources(kind.logsources))
  }), { seed, numRuns: 5_000 })
  expect(kinds.size).toBeGreaterThan(8)
})

describe('the kind of', () => {
  test.for<[event: EventObject, logsources: string | undefined]>([
    [{ Channel: 'Microsoft-Windows-Sysmon/Operational', EventID: 1 }, 'windows:process_creation:sysmon'],
    [{ Channel: 'Security', EventID: '4624' }, 'windows::security'],
    [{ Provider_Name: 'Nobody', EventID: 1 }, 'windows::'],
    [{ Channel: 'Security' }, undefined],
    [{ EventID: 1 }, undefined],
    [{ Channel: { a: 1 }, EventID: 1 }, undefined],
    [{ Channel: 'Security', EventID: 1, SourceName: 'Nobody' }, undefined],
    [{ Channel: 'Security', EventID: 1, Hostname: 'pc' }, undefined],
    [{ Channel: 'Security', EventID: 1, Hostname: 'pc', Computer: 'pc' }, 'windows::security'],
  ])('%j is %s', ([event, logsources]) => {
    const kind = normalizeFlatEvent(event)
    expect(kind && printLogsources(kind.logsources)).toBe(logsources)
  })
})

test.for<[key: string, isChanged: boolean]>([
  ['_logsource', true],
  ['Event ID', true],
  [' Channel', true],
  ['Channel', false],
  ['_Logsource', false],
  ['Event\u00a0ID', false],
  ['', false],
])('the key %j affects the kind of an event: %s', ([key, isChanged]) => {
  expect(isFlatKindKey(key)).toBe(isChanged)
  if (!isChanged) return
  const event = { 'Channel': 'Security', 'EventID': 1, [key]: { product: 'linux' } }
  const { fields, logsources } = normalizeEvent(event, 'auto')
  const isReadAsItIs = fields === event && logsources === normalizeFlatEvent({ Channel: 'Security', EventID: 1 })?.logsources
  expect(isReadAsItIs).toBe(false)
})
