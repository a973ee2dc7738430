/** So many characters in a row that are members, by the codes of ASCII; others may be. */
export type CharacterRun = { readonly members: Uint8Array; readonly length: number }

/**
 * Whether a text may have a run from an index on. Looks at every character that could end one and goes back from
 * there, so that of a text without a run few characters are looked at, and none twice.
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
    // What stands before `at` is no member: a run can only begin behind it.
    start = at
    knownEnd = end
  }
}

function isMember(members: Uint8Array, unit: number): boolean {
  return unit > 127 || members[unit] === 1
}
