import * as fc from 'fast-check'

/** A change of some bytes at a place, which counts modulo their number. */
type Change = { readonly kind: 'set' | 'cut' | 'repeat'; readonly at: number; readonly byte: number }

/** Changes as broken networks and disks make them: a wrong byte, some that are missing, some that are there twice. */
export const changes: fc.Arbitrary<readonly Change[]> = fc.array(fc.record({
  kind: fc.constantFrom<Change['kind']>('set', 'cut', 'repeat'), at: fc.nat(), byte: fc.nat({ max: 255 }),
}), { minLength: 1, maxLength: 8 })

/** The bytes with all changes made, one after the other. */
export function changeBytes(bytes: Buffer, made: readonly Change[]): Buffer {
  return made.reduce((before, { kind, at, byte }) => {
    const place = before.length === 0 ? 0 : at % before.length
    if (kind === 'cut') return Buffer.concat([before.subarray(0, place), before.subarray(place + byte % 40)])
    if (kind === 'repeat') return Buffer.concat([before.subarray(0, place + byte % 40), before.subarray(place)])
    const changed = Buffer.from(before)
    changed[place] = byte
    return changed
  }, bytes)
}
