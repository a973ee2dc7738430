import type { Column } from '../../event/batch.ts'
import type { FieldText } from '../../event/value.ts'
import { limits } from '../../limits.ts'
import type { FieldRefTest } from '../predicate.ts'
import { matchRows } from '../matcher.ts'
import type { ColumnOf, Matcher } from '../matcher.ts'

/**
 * Compares two fields of the same event as texts (sigma.md 6.7): equal, or with the other one as prefix,
 * suffix or needle. Lists are compared any with any; where either has no text it does not match.
 */
export function matchFieldRef(columnOf: ColumnOf, otherOf: ColumnOf, test: FieldRefTest): Matcher {
  const textsOf = (column: Column, row: number) => listOf(test.isCased ? column.text(row) : column.folded(row))
  const { relation } = test
  return matchRows(columnOf, (column, row, batch) => {
    const others = new Set(textsOf(otherOf(batch), row))
    const texts = textsOf(column, row)
    if (relation === 'equals') return texts.some((text) => others.has(text))
    const relates = relations[relation]
    const needles = [...others].slice(0, limits.fieldRefElementsMax)
    return texts.some((text) => needles.some((needle) => relates(text, needle)))
  })
}

const relations: { readonly [relation in Exclude<FieldRefTest['relation'], 'equals'>]: (text: string, other: string) => boolean } = {
  startswith: (text, other) => text.startsWith(other),
  endswith: (text, other) => text.endsWith(other),
  contains: (text, other) => text.includes(other),
}

function listOf(text: FieldText): readonly string[] {
  return text === null ? [] : typeof text === 'string' ? [text] : text
}
