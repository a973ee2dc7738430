import type { Column } from '../../event/batch.ts'
import type { FieldText } from '../../event/value.ts'
import type { FieldRefTest } from '../predicate.ts'
import { matchRows } from '../matcher.ts'
import type { ColumnOf, Matcher } from '../matcher.ts'

/**
 * Compares two fields of the same event as texts (sigma.md 6.7): equal, or with the other one as prefix,
 * suffix or needle. Lists are compared any with any; where either has no text it does not match.
 */
export function matchFieldRef(columnOf: ColumnOf, otherOf: ColumnOf, test: FieldRefTest): Matcher {
  const relates = relations[test.relation]
  const textsOf = (column: Column, row: number) => listOf(test.isCased ? column.text(row) : column.folded(row))
  return matchRows(columnOf, (column, row, batch) => {
    const others = textsOf(otherOf(batch), row)
    return textsOf(column, row).some((text) => others.some((other) => relates(text, other)))
  })
}

const relations: { readonly [relation in FieldRefTest['relation']]: (text: string, other: string) => boolean } = {
  equals: (text, other) => text === other,
  startswith: (text, other) => text.startsWith(other),
  endswith: (text, other) => text.endsWith(other),
  contains: (text, other) => text.includes(other),
}

function listOf(text: FieldText): readonly string[] {
  return text === null ? [] : typeof text === 'string' ? [text] : text
}
