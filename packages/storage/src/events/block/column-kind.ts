/** How a column with nearly as many values as rows is stored without a dictionary. */
export type NumberColumnKind = 'integer' | 'instant'

/** At most 15 digits: a double holds no more exactly. */
const integer = /^(?:0|-?[1-9]\d{0,14})$/

const instant = /^"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z"$/

/** Detects a kind from which every token can be reproduced exactly. */
export function detectNumberColumn(tokens: readonly string[]): NumberColumnKind | undefined {
  if (tokens.every((token) => integer.test(token))) return 'integer'
  return tokens.every((token) => instant.test(token) && formatInstant(parseInstant(token)) === token) ? 'instant' : undefined
}

const integerPart = /^-?\d*$/
const instantPart = /^[\d\-t:.z]*$/

/** Whether a case-folded text may be part of a value of such a column. */
export function mayContainText(kind: NumberColumnKind, folded: string): boolean {
  return (kind === 'integer' ? integerPart : instantPart).test(folded)
}

/** The number that represents a token of such a column. */
export function tokenToNumber(kind: NumberColumnKind, token: string): number {
  return kind === 'integer' ? Number(token) : parseInstant(token)
}

export function numberToToken(kind: NumberColumnKind, number: number): string {
  return kind === 'integer' ? String(number) : formatInstant(number)
}

function parseInstant(token: string): number {
  return Date.parse(token.slice(1, -1))
}

const dateMax = 8.64e15

function formatInstant(number: number): string {
  return Math.abs(number) <= dateMax ? `"${new Date(number).toISOString()}"` : ''
}
