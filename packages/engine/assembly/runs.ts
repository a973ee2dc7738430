import { textStart } from './unescape'

// A run, as the host lays it out: how many characters in a row there have to be, the number of its needle, and by byte
// a bit that says whether it may be one of them.
const numberAt: usize = 4
const membersAt: usize = 8
export const runSize: usize = 24

export function getRunNeedle(run: usize): u32 {
  return load<u32>(run, numberAt)
}

/**
 * Whether the text has a run. Looks at every byte that could end one and goes back from there, so that of a text
 * without a run few bytes are looked at, and none twice.
 */
export function hasRun(run: usize, textEnd: usize): bool {
  const length = <usize>load<u32>(run)
  let start = textStart
  // Up to here all bytes from the start on are members.
  let knownEnd = textStart
  while (length <= textEnd - start) {
    const end = start + length
    let at = end
    while (at > knownEnd && isMember(run + membersAt, load<u8>(at - 1))) at--
    if (at == knownEnd) return true
    // What stands before `at` is no member: a run can only begin behind it.
    start = at
    knownEnd = end
  }
  return false
}

@inline
function isMember(members: usize, byte: u32): bool {
  return ((load<u8>(members + <usize>(byte >>> 3)) >>> <u8>(byte & 7)) & 1) != 0
}
