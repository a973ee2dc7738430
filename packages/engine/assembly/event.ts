import { lineFeed, quote, skipBlanks } from './bytes'
import { keyIrrelevant, keySlow } from './host'
import { beginKeys, hasEscapedAscii, keyCode, keyLength, readKey } from './keys'
import { beginSlots, fillSlot } from './slots'
import { setEscapedText } from './string'
import { valueEnd } from './value'

/**
 * Parses the event of a line into slots: one JSON object, validated as strictly as `JSON.parse` does. Returns the address
 * of its line feed, or 0 if the host has to parse the line: it is no such object, has a slow key, or nests too deeply.
 */
export function readEvent(at: usize): usize {
  if (load<u8>(at) != 0x7b) return 0
  beginKeys()
  beginSlots()
  setEscapedText(false)
  at = skipBlanks(at + 1)
  if (load<u8>(at) == 0x7d) return eventEnd(at + 1)
  while (true) {
    if (load<u8>(at) != quote) return 0
    const key = readKey(at + 1)
    if (key == 0) return 0
    const code = keyCode(key)
    if (code == keySlow) return 0
    if (hasEscapedAscii(key)) setEscapedText(true)
    at = skipBlanks(at + 1 + keyLength(key))
    if (load<u8>(at) != 0x3a) return 0
    const start = skipBlanks(at + 1)
    at = valueEnd(start)
    if (at == 0) return 0
    if (code != keyIrrelevant) fillSlot(code, start, <u32>(at - start))
    at = skipBlanks(at)
    const next: u32 = load<u8>(at)
    if (next == 0x7d) return eventEnd(at + 1)
    if (next != 0x2c) return 0
    at = skipBlanks(at + 1)
  }
}

/** The line feed after an object; 0 if anything else follows. */
@inline
function eventEnd(at: usize): usize {
  const end = skipBlanks(at)
  return load<u8>(end) == lineFeed ? end : 0
}
