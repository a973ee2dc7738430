import type { Predicate, WrittenItem } from '../predicate/predicate.ts'
import type { DetectionItem } from './rule.ts'

/** What the tests of a detection item have in common, and the tests by the text of their value. */
export type SharedItem = {
  readonly field: string | undefined
  readonly written: WrittenItem
  readonly tests: Map<string, Predicate>
}

/**
 * Hash-consing of tests within one compilation: equal tests of different rules are one object, which saves a quarter
 * of the tests in SigmaHQ's rules. Valid only while the placeholders stay the same.
 */
export class SharedValueTests {
  readonly #items = new Map<string, SharedItem>()

  /** Returns what all items with this field and these modifiers share; `path` is the prefix of the printed field. */
  getItem({ field, modifiers }: DetectionItem, path: string, writtenField: string): SharedItem {
    const key = [path, field, ...modifiers].join('|')
    const known = this.#items.get(key)
    if (known !== undefined) return known
    // A keyword matches anywhere and prints as `*mimikatz*`, so `contains` and `all` would be redundant.
    const shown = modifiers.filter((name) => field !== undefined || (name !== 'contains' && name !== 'all'))
    const written = { item: [writtenField, ...shown].join('|'), operator: shown.join('|') || 'eq' }
    const item = { field, written, tests: new Map<string, Predicate>() }
    this.#items.set(key, item)
    return item
  }
}
