import type { Predicate, WrittenItem } from '../predicate/predicate.ts'
import type { DetectionItem } from './rule.ts'

/** What the tests of a detection item have in common, and the tests themselves by the text of their value. */
export type SharedItem = {
  readonly field: string | undefined
  readonly written: WrittenItem
  readonly tests: Map<string, Predicate>
}

/**
 * Remembers the tests of one compilation, so that equal ones of different rules are one object: of the tests of
 * SigmaHQ's rules, a quarter was there before. Placeholders must stay the same; made for one compilation
 * and forgotten with it.
 */
export class SharedValueTests {
  readonly #items = new Map<string, SharedItem>()

  /** What is shared by all items with this field and these modifiers; `path` is written before the field. */
  getItem({ field, modifiers }: DetectionItem, path: string, writtenField: string): SharedItem {
    const key = [path, field, ...modifiers].join('|')
    const known = this.#items.get(key)
    if (known !== undefined) return known
    // A keyword is searched anywhere and shown so: `contains` and `all` would add nothing to `*mimikatz*`.
    const shown = modifiers.filter((name) => field !== undefined || (name !== 'contains' && name !== 'all'))
    const written = { item: [writtenField, ...shown].join('|'), operator: shown.join('|') || 'eq' }
    const item = { field, written, tests: new Map<string, Predicate>() }
    this.#items.set(key, item)
    return item
  }
}
