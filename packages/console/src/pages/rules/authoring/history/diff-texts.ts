import { diffLines, diffWordsWithSpace } from 'diff'

type Part = { readonly text: string; readonly isChanged: boolean }

/** A line of one of two texts, with its number there, in the parts that the other has or has not. */
export type DiffLine = { readonly number: number; readonly parts: readonly Part[] }

/** A line of both texts side by side; where only one has it, the other side is undefined. */
export type DiffRow = { readonly before: DiffLine | undefined; readonly after: DiffLine | undefined; readonly isSame: boolean }

/** Lines beyond which changed ones are not looked for among each other: each is compared with each. */
const pairedMax = 200
/** The share of two lines that is the same from which on one is a change of the other. */
const alikeMin = 0.4

/** The lines of two texts, each beside its counterpart. */
export function diffTexts(before: string, after: string): readonly DiffRow[] {
  const rows: DiffRow[] = []
  let [numberBefore, numberAfter] = [1, 1]
  const changes = diffLines(before, after)
  for (let index = 0; index < changes.length; index++) {
    const { added, removed, value } = changes[index]!
    const next = changes[index + 1]
    const isReplaced = removed && next?.added === true
    const gone = removed ? splitLines(value) : []
    const came = added ? splitLines(value) : isReplaced ? splitLines(next.value) : []
    if (isReplaced) index++
    if (gone.length === 0 && came.length === 0) {
      for (const text of splitLines(value)) {
        rows.push({ before: toPlain(numberBefore++, text), after: toPlain(numberAfter++, text), isSame: true })
      }
    }
    for (const [left, right] of pairLines(gone, came)) {
      const words = left === undefined || right === undefined ? undefined : diffWordsWithSpace(left, right)
      rows.push({
        before: left === undefined ? undefined : toLine(numberBefore++, left, words, 'removed'),
        after: right === undefined ? undefined : toLine(numberAfter++, right, words, 'added'),
        isSame: false,
      })
    }
  }
  return rows
}

type Words = ReturnType<typeof diffWordsWithSpace>

/** One side of a changed line, with the words marked that the other does not have. */
function toLine(number: number, text: string, words: Words | undefined, side: 'added' | 'removed'): DiffLine {
  const own = words?.filter((word) => word[side] || !(word.added || word.removed))
  return own === undefined ? toPlain(number, text) : { number, parts: own.map((word) => ({ text: word.value, isChanged: word[side] })) }
}

/** Puts the lines that took the place of others beside these: as many by their order, otherwise those that are alike. */
function pairLines(gone: readonly string[], came: readonly string[]): readonly (readonly [string | undefined, string | undefined])[] {
  if (gone.length === came.length) return gone.map((line, index) => [line, came[index]])
  const pairs: (readonly [string | undefined, string | undefined])[] = []
  let taken = 0
  for (const line of gone) {
    const found = gone.length * came.length > pairedMax ** 2 ? -1 : came.findIndex((other, index) => index >= taken && isAlike(line, other))
    if (found === -1) pairs.push([line, undefined])
    else {
      for (const other of came.slice(taken, found)) pairs.push([undefined, other])
      pairs.push([line, came[found]])
      taken = found + 1
    }
  }
  for (const other of came.slice(taken)) pairs.push([undefined, other])
  return pairs
}

function isAlike(one: string, other: string): boolean {
  const same = diffWordsWithSpace(one.trim(), other.trim()).filter(({ added, removed }) => !added && !removed)
  return same.reduce((sum, { value }) => sum + value.length, 0) >= alikeMin * Math.max(one.trim().length, other.trim().length)
}

function toPlain(number: number, text: string): DiffLine {
  return { number, parts: [{ text, isChanged: false }] }
}

function splitLines(value: string): string[] {
  return value.replace(/\n$/, '').split('\n')
}
