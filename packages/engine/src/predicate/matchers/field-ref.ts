import type { Column } from '../../event/batch.ts'
import type { FieldText } from '../../event/value.ts'
import { limits } from '../../limits.ts'
import type { FieldRefTest } from '../predicate.ts'
import { matchRows } from '../matcher.ts'
import type { ColumnOf, Matcher } from '../matcher.ts'

/** Compares two fields of the same event, of which either may be absent; see `compileFieldRef`. */
export function matchFieldRef(columnOf: ColumnOf, otherOf: ColumnOf, test: FieldRefTest): Matcher {
  const textOf = (column: Column, row: number) => (test.isCased ? column.text(row) : column.folded(row))
  const isMatch = compileFieldRef(test)
  return matchRows(columnOf, (column, row, batch) => isMatch(textOf(column, row), textOf(otherOf(batch), row)))
}

const relations: { readonly [relation in Exclude<FieldRefTest['relation'], 'equals'>]: (text: string, other: string) => boolean } = {
  startswith: (text, other) => text.startsWith(other),
  endswith: (text, other) => text.endsWith(other),
  contains: (text, other) => text.includes(other),
}

/**
 * Compares the texts of two fields: equal, or with the second as prefix, suffix or substring of the first. The texts are
 * folded unless case matters. For lists any pair of elements may match; a field without text never matches.
 */
export function compileFieldRef({ relation }: FieldRefTest): (text: FieldText, other: FieldText) => boolean {
  if (relation === 'equals') {
    return (text, other) => {
      if (typeof text === 'string' && typeof other === 'string') return text === other
      const others = new Set(toList(other))
      return toList(text).some((one) => others.has(one))
    }
  }
  const relates = relations[relation]
  return (text, other) => {
    const needles = toList(other).slice(0, limits.fieldRefElementsMax)
    return toList(text).some((one) => needles.some((needle) => relates(one, needle)))
  }
}

function toList(text: FieldText): readonly string[] {
  return text === null ? [] : typeof text === 'string' ? [text] : text
}
