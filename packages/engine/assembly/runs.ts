import { textStart } from './unescape'

// A run is a number of consecutive characters of a set. The layout, which the host builds: that number, the number of
// the needle, and a bitmap of the bytes in the set.
const numberAt: usize = 4
const membersAt: usize = 8
export const runSize: usize = 24

export function getRunNeedle(run: usize): u32 {
  return load<u32>(run, numberAt)
}

/**
 * Whether the text contains a run. Tests the byte at which a run would end and goes backwards from there, as Boyer-Moore
 * does: a text without a run has few of its bytes read, and none twice.
 */
export function hasRun(run: usize, textEnd: usize): bool {
  const length = <usize>load<u32>(run)
  let start = textStart
  // All bytes from the start up to here are members.
  let knownEnd = textStart
  while (length <= textEnd - start) {
    const end = start + length
    let at = end
    while (at > knownEnd && isMember(run + membersAt, load<u8>(at - 1))) at--
    if (at == knownEnd) return true
    // The byte before `at` is no member: a run can only start after it.
    start = at
    knownEnd = end
  }
  return false
}

@inline
function isMember(members: usize, byte: u32): bool {
  return ((load<u8>(members + <usize>(byte >>> 3)) >>> <u8>(byte & 7)) & 1) != 0
}
