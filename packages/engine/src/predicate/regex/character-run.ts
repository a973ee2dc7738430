/** At least `length` consecutive characters that are members, by ASCII code, or beyond ASCII. */
export type CharacterRun = { readonly members: Uint8Array; readonly length: number }

/**
 * Whether a text may contain a run at or after `from`. Tests the character at which a run would end and goes backwards, as
 * Boyer-Moore does: a text without a run has few of its characters read, and none twice.
 */
export function mayHaveRun(text: string, { members, length }: CharacterRun, from: number): boolean {
  let start = from
  /** Up to here all characters from the start on are members. */
  let knownEnd = from
  for (;;) {
    const end = start + length
    if (end > text.length) return false
    let at = end
    while (at > knownEnd && isMember(members, text.charCodeAt(at - 1))) at--
    if (at === knownEnd) return true
    // The character before `at` is no member: a run can only start after it.
    start = at
    knownEnd = end
  }
}

function isMember(members: Uint8Array, unit: number): boolean {
  return unit > 127 || members[unit] === 1
}
