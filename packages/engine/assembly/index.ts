import { lineEnd, lineFeed, skipBlanks } from './bytes'
import { readEvent } from './event'
import { configureNeedleMemo, clearNeedleMemo } from './needle-memo'
import { hostSlowLine } from './host'
import { configureKeys, clearKeys } from './keys'
import { configureFilters } from './literal-teddy-filter'
import { configureNeedles } from './needles'
import { configureUnescape } from './unescape'
import { configurePrograms, runPrograms } from './programs'
import { configureSlots } from './slots'
import { configureValues, clearValues } from './values'
import { configureSignatures, clearSignatures } from './signatures'

export { foundForgotten, foundMisses } from './needle-memo'
export { keyMisses, keysForgotten } from './keys'
export { setFilter } from './literal-teddy-filter'
export { allocate } from './memory'
export { findNeedles, foundNeedles, setNeedles } from './needles'
export { eventCounts, setProgram } from './programs'
export { slotLength, slotStart } from './slots'
export { valueHits, valueMisses, valuesForgotten } from './values'
export { signatureMisses as walkMisses, signaturesForgotten as walksForgotten } from './signatures'

/** Lines of whitespace only. */
export let blankLines: f64 = 0

/**
 * Reserves all memory; called once. The counts of keys, values, lists of found needles and signatures are powers of
 * two; a value has at most `textBytes` bytes.
 */
export function configure(
  keyCount: u32, keyBytes: u32, valueCount: u32, valueBytes: u32, foundCount: u32, signatureCount: u32,
  slotCount: u32, programCount: u32, domainCount: u32, textBytes: u32,
): void {
  configureKeys(keyCount, keyBytes)
  configureValues(valueCount, valueBytes)
  configureNeedleMemo(foundCount)
  configureSignatures(signatureCount, domainCount)
  configureSlots(slotCount)
  configurePrograms(programCount)
  configureFilters(domainCount)
  configureNeedles(domainCount)
  configureUnescape(textBytes)
}

/** Clears all caches of the host's answers. */
export function forget(): void {
  clearKeys()
  clearValues()
  clearNeedleMemo()
  clearSignatures()
}

/**
 * Runs the lines between two addresses, numbered from `line`, and returns the number after the last one. The last byte
 * is a line feed, and 16 bytes before the start and after the end are readable.
 */
export function run(start: usize, end: usize, line: u32): u32 {
  while (start < end) {
    const first = skipBlanks(start)
    let lineFeedAt = first
    if (load<u8>(first) == lineFeed) {
      blankLines += 1
    } else {
      lineFeedAt = readEvent(first)
      const isEvent = lineFeedAt != 0
      if (!isEvent) lineFeedAt = lineEnd(start)
      if (!isEvent || !runPrograms(line, start, lineFeedAt)) {
        hostSlowLine(line, start, <u32>(lineFeedAt - start))
      }
    }
    start = lineFeedAt + 1
    line++
  }
  return line
}
