/** The length of q-grams; nearly all trigrams occur in any block, so trigrams would rule out nothing. */
const qGramLength = 4
/** The length of additional q-grams within words: short ones of a word occur in other words. */
export const wordQGramLength = 5
/** Blocks before version 4 have longer ones, of which most words of five letters have none. */
export const formerWordQGramLength = 6
/** The length of q-grams of numbers with dots: all shorter ones of addresses occur in a block with some thousands. */
const numberQGramLength = 8
/** Q-grams of hexadecimal digits are frequent and come in long runs; one in so many is kept. */
const digitQGramSampling = 4
/** The hashes of a 4-gram of letters in the filter of a frame: more than of others, because a short word has no other. */
export const letterHashCount = 4
/** The bits of a hash of a q-gram. */
export const qGramHashBits = 20

/**
 * The kinds of q-grams. `text`: 4-grams, and longer ones of words. `digits`: 4-grams of hexadecimal digits alone. `long`: what
 * tells the values apart of which all 4-grams occur in any block: 8-grams of addresses, versions and other numbers with dots,
 * and syncmers of GUIDs, checksums and other runs of hexadecimal digits. Their hashes have 32 bits. `letters`: other 4-grams
 * of the letters a to z, which are all that a word of four letters has; there are few, so each has a number of its own.
 */
export const qGramKinds = { text: 0, digits: 1, long: 2, letters: 3 } as const
export type QGramKind = (typeof qGramKinds)[keyof typeof qGramKinds]

type WordQGramLength = typeof wordQGramLength | typeof formerWordQGramLength

const inWord = 1
const inDigits = 2
const inNumber = 4
const inLetters = 8
/** For each ASCII character, whether it belongs to words, to runs of hexadecimal digits such as GUIDs, to numbers with dots. */
const kinds = Uint8Array.from({ length: 128 }, (_, code) => {
  const character = String.fromCharCode(code)
  const word = /[a-z0-9]/.test(character) ? inWord : 0
  const digits = /[a-f0-9-]/.test(character) ? inDigits : 0
  return word + digits + (/[0-9.]/.test(character) ? inNumber : 0) + (/[a-z]/.test(character) ? inLetters : 0)
})
const dot = 0x2e
const letterA = 0x61
const letterCount = 26
/** The number of 4-grams of letters. */
const letterGramCount = letterCount ** qGramLength

/** The base of the rolling hash: a hash is the length and the character codes as digits of this base, in 32 bits. */
const sumBase = 961
const qGramWeight = computeWeight(qGramLength)
const wordQGramWeight = computeWeight(wordQGramLength)
const formerWordQGramWeight = computeWeight(formerWordQGramLength)

/** The length of a syncmer, and of its parts: any run of hexadecimal digits of 29 characters contains one. */
const syncmerLength = 16
const syncmerPartLength = 2

const orders = Uint32Array.from({ length: 2 ** 14 }, (_, pair) => mixHash(pair + 1))

/** Called with the hash of a q-gram, and the number of one of the kind `letters`; returns whether to continue. */
type QGramCheck = (hash: number, kind: QGramKind, letterGram: number) => boolean

/**
 * Calls `holds` with each kept q-gram of a text until it returns false. Whether a q-gram is kept depends on its own characters
 * only, so it is the same in every text.
 */
export function everyQGram(text: string, wordLengthMin: WordQGramLength, holds: QGramCheck): boolean {
  const wordWeight = wordLengthMin === wordQGramLength ? wordQGramWeight : formerWordQGramWeight
  const { text: ofText, digits: ofDigits, long, letters: ofLetters } = qGramKinds
  let wordLength = 0
  let lettersLength = 0
  let letterGram = 0
  let digitsLength = 0
  let numberLength = 0
  let dotEnd = 0
  // Rolling hashes of the last characters, updated by the character that enters and the one that leaves.
  let partSum = 0
  let wordPartSum = 0
  for (let end = 1; end <= text.length; end++) {
    const code = text.charCodeAt(end - 1)
    partSum = Math.imul(partSum, sumBase) + code | 0
    if (end > qGramLength) partSum = partSum - Math.imul(text.charCodeAt(end - 1 - qGramLength), qGramWeight) | 0
    wordPartSum = Math.imul(wordPartSum, sumBase) + code | 0
    if (end > wordLengthMin) wordPartSum = wordPartSum - Math.imul(text.charCodeAt(end - 1 - wordLengthMin), wordWeight) | 0
    const kind = code < 128 ? kinds[code]! : 0
    wordLength = (kind & inWord) === 0 ? 0 : wordLength + 1
    digitsLength = (kind & inDigits) === 0 ? 0 : digitsLength + 1
    numberLength = (kind & inNumber) === 0 ? 0 : numberLength + 1
    if ((kind & inLetters) === 0) lettersLength = 0
    else {
      lettersLength++
      letterGram = (letterGram * letterCount + code - letterA) % letterGramCount
    }
    if (code === dot) dotEnd = end
    if (end >= qGramLength) {
      const sum = partSum + Math.imul(qGramLength, qGramWeight) | 0
      const isDigits = digitsLength >= qGramLength
      const isKept = !isDigits || (Math.imul(sum, 0x85ebca6b) >>> 16) % digitQGramSampling === 0
      const isOf = isDigits ? ofDigits : lettersLength >= qGramLength ? ofLetters : ofText
      if (isKept && !holds(hashQGram(sum), isOf, letterGram)) return false
    }
    if (wordLength >= wordLengthMin && digitsLength < wordLengthMin) {
      if (!holds(hashQGram(wordPartSum + Math.imul(wordLengthMin, wordWeight) | 0), ofText, 0)) return false
    }
    if (numberLength >= numberQGramLength && dotEnd > 0 && end - dotEnd < numberQGramLength) {
      if (!holds(hashPart(text, end - numberQGramLength, numberQGramLength), long, 0)) return false
    }
    if (digitsLength >= syncmerLength && isSyncmer(text, end - syncmerLength)) {
      if (!holds(hashPart(text, end - syncmerLength, syncmerLength), long, 0)) return false
    }
  }
  return true
}

/** The weight of the digit before so many others. */
function computeWeight(length: number): number {
  let weight = 1
  for (let i = 0; i < length; i++) weight = Math.imul(weight, sumBase)
  return weight
}

function hashQGram(sum: number): number {
  return Math.imul(sum, 0x9e3779b1) >>> (32 - qGramHashBits)
}

/**
 * Whether 16 hexadecimal digits are a closed syncmer (R. Edgar, 2021, "Syncmers are more sensitive than minimizers for
 * selecting conserved k-mers"): the least of their 2-grams, in a fixed order, is the first or the last. One in seven is.
 */
function isSyncmer(text: string, start: number): boolean {
  const last = start + syncmerLength - syncmerPartLength
  const least = Math.min(getOrder(text, start), getOrder(text, last))
  for (let at = start + 1; at < last; at++) if (getOrder(text, at) < least) return false
  return true
}

/** The place of a 2-gram in an order that looks random. */
function getOrder(text: string, at: number): number {
  return orders[(text.charCodeAt(at) << 7) + text.charCodeAt(at + 1)]!
}

/** A hash of a 4-gram of letters: one of several that are as good as independent. */
export function hashLetterGram(letterGram: number, number: number): number {
  return mixHash(letterGram * letterHashCount + number) >>> (32 - qGramHashBits)
}

function hashPart(text: string, start: number, length: number): number {
  let sum = length
  for (let at = start; at < start + length; at++) sum = Math.imul(sum, sumBase) + text.charCodeAt(at) | 0
  return mixHash(sum)
}

/** The finalizer of MurmurHash3. */
function mixHash(sum: number): number {
  let hash = sum ^ (sum >>> 16)
  hash = Math.imul(hash, 0x85ebca6b)
  hash ^= hash >>> 13
  hash = Math.imul(hash, 0xc2b2ae35)
  return (hash ^ (hash >>> 16)) >>> 0
}
