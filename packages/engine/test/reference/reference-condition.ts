/** Conditions of the reference evaluator: parsed once per event and evaluated while parsing, without short-circuits. */

export type Selections = {
  readonly names: readonly string[]
  readonly holds: (name: string) => boolean
}

/** Whether the condition is true; throws when it is not valid. */
export function conditionHolds(condition: string, selections: Selections): boolean {
  const words = split(condition)
  const result = readOr(words, selections)
  if (words.length > 0) throw new Error(`The condition ends before ${JSON.stringify(words[0])}.`)
  return result
}

function split(condition: string): string[] {
  const words = condition.match(/[()]|[A-Za-z0-9_*-]+|\S/g) ?? []
  return [...words]
}

function readOr(words: string[], selections: Selections): boolean {
  let result = readAnd(words, selections)
  while (takeKeyword(words, 'or', selections)) result = readAnd(words, selections) || result
  return result
}

function readAnd(words: string[], selections: Selections): boolean {
  let result = readNot(words, selections)
  while (takeKeyword(words, 'and', selections)) result = readNot(words, selections) && result
  return result
}

function readNot(words: string[], selections: Selections): boolean {
  return takeKeyword(words, 'not', selections) ? !readNot(words, selections) : readAtom(words, selections)
}

function readAtom(words: string[], selections: Selections): boolean {
  const word = words.shift()
  if (word === '(') {
    const result = readOr(words, selections)
    if (words.shift() !== ')') throw new Error('A parenthesis is not closed.')
    return result
  }
  const quantifier = word?.toLowerCase() ?? ''
  if (['1', 'any', 'all'].includes(quantifier) && takeKeyword(words, 'of', selections)) {
    const results = quantified(words.shift(), selections).map(selections.holds)
    return quantifier === 'all' ? !results.includes(false) : results.includes(true)
  }
  if (word === undefined || !selections.names.includes(word)) {
    throw new Error(`${JSON.stringify(word)} names no selection.`)
  }
  return selections.holds(word)
}

/** Accepts keywords in any case, unless a selection has exactly that name. */
function takeKeyword(words: string[], keyword: string, selections: Selections): boolean {
  const word = words[0]
  if (word === undefined || word.toLowerCase() !== keyword) return false
  if (word !== keyword && selections.names.includes(word)) return false
  words.shift()
  return true
}

function quantified(pattern: string | undefined, selections: Selections): string[] {
  if (pattern === undefined || !/^[A-Za-z0-9_*-]+$/.test(pattern)) throw new Error('A quantifier names nothing.')
  const wanted = pattern.toLowerCase() === 'them' ? '*' : pattern
  const source = wanted.replaceAll('*', '.*')
  const names = selections.names.filter((name) =>
    new RegExp(`^${source}$`).test(name) && (!name.startsWith('_') || wanted.startsWith('_')))
  if (names.length === 0) throw new Error(`${JSON.stringify(pattern)} matches no selection.`)
  return names
}
