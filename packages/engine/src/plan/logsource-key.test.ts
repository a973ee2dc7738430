import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Logsource } from '../event/event.ts'
import { listContainingKeys, toLogsourceKey } from './logsource-key.ts'

function keyOf({ category, product, service }: Logsource): string {
  return toLogsourceKey(category, product, service)
}

/** The definition of the specification: the second logsource has every part that the first has. */
function contains(outer: Logsource, inner: Logsource): boolean {
  return (['category', 'product', 'service'] as const).every((part) => outer[part] === undefined || outer[part] === inner[part])
}

describe('containingKeys', () => {
  test.for<[of: Logsource, keyCount: number]>([
    [{}, 1],
    [{ product: 'windows' }, 2],
    [{ product: 'windows', service: 'sysmon' }, 4],
    [{ category: 'process_creation', product: 'windows', service: 'sysmon' }, 8],
  ])('of %j are %i different ones', ([logsource, keyCount]) => {
    const keys = [...listContainingKeys(logsource)]
    expect(keys.length).toBe(keyCount)
    expect(new Set(keys).size).toBe(keyCount)
  })

  test('are the keys of the logsources that contain it, and no others', () => {
    const part = fc.constantFrom(undefined, '', 'null', 'a', 'b')
    const logsources: fc.Arbitrary<Logsource> = fc.tuple(part, part, part).map(([category, product, service]) => ({
      ...(category !== undefined && { category }), ...(product !== undefined && { product }), ...(service !== undefined && { service }),
    }))
    fc.assert(
      fc.property(logsources, logsources, (outer, inner) => {
        expect([...listContainingKeys(inner)].includes(keyOf(outer))).toBe(contains(outer, inner))
      }),
      { numRuns: 2000 },
    )
  })
})
