import { computeEditDistance, foldCase } from '@tripline/engine/predicate'
import type { Query } from './ast.ts'
import { listFieldNames } from './field-names.ts'
import type { TextSpan } from './query-error.ts'

/**
 * Finds the fields of a query that no event has under any of their names, and names the most similar one. `seen` are paths
 * as events write them: a name is seen if it is a path or the end of one, because the engine unwraps the envelopes of collectors.
 */
export function findUnknownFields(query: Query, seen: readonly string[]): (TextSpan & { readonly message: string })[] {
  if (seen.length === 0) return []
  const names = listKnownNames(seen)
  const reported = new Set<string>()
  return listTerms(query).flatMap(({ field, span }) => {
    if (field === undefined || reported.has(field) || listFieldNames(field).some((name) => names.has(foldCase(name)))) return []
    reported.add(field)
    const similar = findSimilar(field, names)
    const advice = similar === undefined ? '' : `; did you mean '${similar}'?`
    return [{ ...span, message: `no recent event has the field '${field}'${advice}` }]
  })
}

/** The ends of the paths by their folded form; kept with the list of paths, which searches share. */
const knownNames = new WeakMap<readonly string[], ReadonlyMap<string, string>>()

function listKnownNames(seen: readonly string[]): ReadonlyMap<string, string> {
  let names = knownNames.get(seen)
  if (names === undefined) knownNames.set(seen, (names = new Map(seen.flatMap(listEnds).map((name) => [foldCase(name), name]))))
  return names
}

function listTerms(query: Query): Extract<Query, { kind: 'term' }>[] {
  if (query.kind === 'term') return [query]
  if (query.kind === 'not') return listTerms(query.of)
  return query.kind === 'all' ? [] : query.of.flatMap(listTerms)
}

/** A path and its ends: `Event.EventData.Image`, `EventData.Image` and `Image`. */
function listEnds(path: string): string[] {
  const steps = path.split('.')
  return steps.map((_, i) => steps.slice(i).join('.'))
}

/** The name with the smallest edit distance, at most a third of its length; a field that contains the other comes next. */
function findSimilar(field: string, names: ReadonlyMap<string, string>): string | undefined {
  const folded = foldCase(field)
  const distanceMax = Math.max(1, Math.floor(folded.length / 3))
  let [best, least] = [undefined as string | undefined, distanceMax + 1]
  for (const [name, written] of names) {
    if (Math.abs(name.length - folded.length) >= least) continue
    const distance = computeEditDistance(folded, name)
    if (distance < least) [best, least] = [written, distance]
  }
  if (best !== undefined) return best
  return [...names].find(([name]) => name.length > 3 && folded.length > 3 && (name.includes(folded) || folded.includes(name)))?.[1]
}
