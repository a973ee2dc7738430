import { foldCase } from '../event/fold-case.ts'
import type { Correlation } from '../sigma/correlation.ts'
import type { Contribution } from './contribution.ts'

/** A contribution; `isEntry` is false where it is one more value of an event, not an event of the window itself. */
type UniqueContribution = Contribution & { readonly isEntry?: boolean }

/**
 * What one event is to a group: an event that several of the rules match is one, and so is the match of an inner
 * correlation, whatever it carries. Temporal conditions see each rule; values that several rules read out of the same
 * fields are there once. The members come in ascending order, so that each may come after the one before.
 */
export function uniqueContributions(
  moment: readonly Contribution[], { type, isCaseSensitive }: Correlation, valueSources: readonly number[],
): readonly UniqueContribution[] {
  if (moment.length === 1) return moment
  const isTemporal = type === 'temporal' || type === 'temporal_ordered'
  const unique: UniqueContribution[] = []
  const entries = new Set<string>()
  const readers = new Map<string, number>()
  const values = new Set<string>()
  for (const contribution of moment.toSorted((a, b) => a.member - b.member || a.match - b.match)) {
    const { match, member, value } = contribution
    const entry = isTemporal ? `${match}:${member}` : `${match}`
    const isEntry = !entries.has(entry)
    entries.add(entry)
    if (value === undefined) {
      if (isEntry) unique.push({ ...contribution, isEntry })
      continue
    }
    // Of the rules that read the same fields, the values of the first count; inner matches bring each value once.
    const source = `${match}:${valueSources[member] ?? member}`
    const reader = readers.get(source) ?? member
    readers.set(source, reader)
    const text = `${source}:${isCaseSensitive || typeof value === 'number' ? value : foldCase(value)}`
    const isRepeated = match !== 0 && values.has(text)
    values.add(text)
    if (reader === member && !isRepeated) unique.push({ ...contribution, isEntry })
  }
  return unique
}
