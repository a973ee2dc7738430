/** A pair of a line such as `level=info msg="a b"`. */
type Pair = readonly [key: string, value: string]

// One step of the scan: a quoted or a bare value after its key, or a word without a key.
const pairPattern = /([A-Za-z_@][\w.@:/-]*(?:\[\d+\])?)=(?:"((?:[^"\\]|\\.)*)"|'((?:[^'\\]|\\.)*)'|([^\s"',;]\S*|))|(\S+)/gy
const escapes: { readonly [letter: string]: string } = { n: '\n', r: '\r', t: '\t' }

/** Splits a line into pairs of key and value, and the words that are none. */
export function splitPairs(line: string): { readonly pairs: readonly Pair[]; readonly words: readonly string[] } {
  const pairs: Pair[] = []
  const words: string[] = []
  for (let at = 0; at < line.length; ) {
    if (/\s/.test(line[at]!)) {
      at++
      continue
    }
    pairPattern.lastIndex = at
    const found = pairPattern.exec(line)
    if (found === null) break
    const [whole, key, doubleQuoted, singleQuoted, bare, word] = found
    at += whole.length
    const quoted = doubleQuoted ?? singleQuoted
    if (key !== undefined) pairs.push([key, quoted === undefined ? trimSeparator(bare ?? '') : unescape(quoted)])
    else if (word !== undefined) words.push(word)
  }
  return { pairs, words }
}

/** Makes an event of pairs: a key that comes twice is a list. */
export function toEvent(pairs: readonly Pair[]): { [key: string]: string | string[] } {
  const event = new Map<string, string | string[]>()
  for (const [key, value] of pairs) {
    const before = event.get(key)
    event.set(key, before === undefined ? value : [...(typeof before === 'string' ? [before] : before), value])
  }
  return Object.fromEntries(event)
}

function trimSeparator(value: string): string {
  return /[,;]$/.test(value) ? value.slice(0, -1) : value
}

function unescape(text: string): string {
  // A backslash before any other letter stands for itself: paths of Windows are rarely doubled.
  return text.replaceAll(/\\(["'\\nrt])/g, (_, letter: string) => escapes[letter] ?? letter)
}
