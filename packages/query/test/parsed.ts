import { QueryError, parseQuery } from '../src/index.ts'
import type { Query } from '../src/index.ts'

/** Parses a text that may be no query; undefined where it is refused for a reason. */
export function parsed(text: string): Query | undefined {
  try {
    return parseQuery(text)
  } catch (error) {
    if (error instanceof QueryError) return undefined
    throw error
  }
}
