import type { TenantId } from '@tripline/model/tenant'
import type { EventMappingText } from '@tripline/model/tenant-settings'
import { tenantWith } from '@tripline/state/test/state-samples'
import { describe, expect, test } from 'vitest'
import { limits } from '../limits.ts'
import { TenantMappings } from './tenant-mappings.ts'

const forAll = 'mappings: [{ when: { vendor: acme }, constants: { by: all } }]'
const ofSource = 'mappings: [{ when: { vendor: acme, kind: fw }, constants: { by: source } }]'
const copies = Array.from({ length: 8 }, (_, i) => `copy${i}: '${'x'.repeat(1_000)}'`).join(', ')

/** The mappings of tenant 'a', and the problems that they report. */
function openMappings(eventMappings: readonly EventMappingText[]) {
  let stored = tenantWith({ settings: { eventMappings } })
  let readCount = 0
  const problems: string[] = []
  const get = async (id: TenantId) => {
    readCount++
    return id === 'a' ? stored : undefined
  }
  const mappings = new TenantMappings({ get }, (message, fields) => problems.push(`${message} ${JSON.stringify(fields)}`))
  return {
    mappings, problems,
    change: (changed: readonly EventMappingText[], version: number) => {
      stored = tenantWith({ settings: { eventMappings: changed }, version })
    },
    map: async (text: string, connectorId?: string, tenant = 'a') => {
      await mappings.load(tenant)
      const head = { receivedAt: 0, ...(connectorId !== undefined && { connectorId }) }
      const mapped = mappings.map(tenant, { head, bytes: Buffer.from(text) })
      return mapped && Buffer.from(mapped).toString()
    },
    getReadCount: () => readCount,
  }
}

describe('the mappings of a tenant', () => {
  const both = [{ sourceId: null, text: forAll }, { sourceId: 'c1', text: ofSource }]

  test.for<[title: string, event: string, connectorId: string | undefined, mapped: string | undefined]>([
    ['of all events', '{"vendor":"acme"}', undefined, '{"vendor":"acme","by":"all"}'],
    ['of all events, where its source has none', '{"vendor":"acme","kind":"fw"}', 'c2', '{"vendor":"acme","kind":"fw","by":"all"}'],
    ['of its source', '{"vendor":"acme","kind":"fw"}', 'c1', '{"vendor":"acme","kind":"fw","by":"source"}'],
    ['of all events after those of its source', '{"vendor":"acme"}', 'c1', '{"vendor":"acme","by":"all"}'],
    ['which keep the digits of large integers', '{"vendor":"acme","n":9007199254740993}', undefined, '{"vendor":"acme","n":9007199254740993,"by":"all"}'],
    ['none of which selects it', '{"vendor":"other"}', 'c1', undefined],
    ['though it is no object', '[1]', undefined, undefined],
    ['though it is no JSON', '{"vendor":', undefined, undefined],
  ])('change an event by those %s', async ([, event, connectorId, mapped]) => {
    expect(await openMappings(both).map(event, connectorId)).toBe(mapped)
  })

  test('leave events of a tenant without mappings, and of one that does not exist', async () => {
    const { map } = openMappings([])
    expect([await map('{"vendor":"acme"}'), await map('{"vendor":"acme"}', undefined, 'b')]).toEqual([undefined, undefined])
  })

  test('are those of the settings\' newest version', async () => {
    const { change, map } = openMappings([])
    const event = '{"vendor":"acme"}'
    const before = await map(event)
    change(both, 1)
    const same = await map(event)
    change(both, 2)
    expect([before, same, await map(event)]).toEqual([undefined, undefined, '{"vendor":"acme","by":"all"}'])
  })

  test('that cannot be read are left out and reported, and the others hold', async () => {
    const { map, problems } = openMappings([{ sourceId: 'c1', text: 'mappings: 1' }, { sourceId: null, text: forAll }])
    expect(await map('{"vendor":"acme"}', 'c1')).toBe('{"vendor":"acme","by":"all"}')
    expect(problems.length).toBe(1)
    expect(problems[0]).toMatch(/^a stored mapping of events cannot be read and is left out \{"tenant":"a","source":"c1","error":"[^"]+/)
  })

  test('leave events that they would make too large, and report that once for each version', async () => {
    const large = [{ sourceId: null, text: `mappings: [{ constants: { ${copies} } }]` }]
    const { change, map, problems } = openMappings(large)
    const event = JSON.stringify({ text: 'y'.repeat(limits.ingest.mappedEventBytesMax - 8_000) })
    expect([await map(event), await map(event), problems.length]).toEqual([undefined, undefined, 1])
    expect(problems[0]).toBe('events stay as they came, because their mapping would make them too large {"tenant":"a"}')
    expect((await map('{}'))?.length).toBeGreaterThan(8_000)
    change(large, 2)
    await map(event)
    expect(problems.length).toBe(2)
  })
})
