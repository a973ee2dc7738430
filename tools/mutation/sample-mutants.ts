import { createHash } from 'node:crypto'

/** A change of the code and where it stands: by lines from 1 and columns from 0, as Stryker reads places. */
export type Mutant = {
  readonly file: string
  readonly mutatorName: string
  readonly replacement: string
  readonly startLine: number
  readonly startColumn: number
  readonly endLine: number
  readonly endColumn: number
}

/** The order of mutants in a sample: by a hash of the seed and the place, so that an edit elsewhere changes no other's turn. */
function rankMutant(seed: number, { file, startLine, startColumn, replacement }: Mutant): string {
  return createHash('sha256').update([seed, file, startLine, startColumn, replacement].join('\0')).digest('hex')
}

/**
 * Chooses places until about `countMax` mutants lie in them. A place counts with all mutants inside of it, which are run
 * together with it. Returns all places if there are no more mutants than that.
 */
export function sampleMutants(mutants: readonly Mutant[], countMax: number, seed: number): readonly Mutant[] {
  if (mutants.length <= countMax) return mutants
  const ranked = mutants.map((mutant) => ({ mutant, rank: rankMutant(seed, mutant) }))
    .sort((one, other) => (one.rank < other.rank ? -1 : 1))
  const chosen = new Set<Mutant>()
  for (const { mutant } of ranked) {
    if (chosen.size >= countMax) break
    const inside = mutants.filter((other) => isInside(other, mutant))
    // Places of whole functions hold hundreds of mutants: they would crowd out the other files.
    if (inside.length > 5) continue
    for (const one of inside) chosen.add(one)
  }
  return mutants.filter((mutant) => chosen.has(mutant))
}

function isInside(inner: Mutant, outer: Mutant): boolean {
  const startsAfter = inner.startLine > outer.startLine ||
    (inner.startLine === outer.startLine && inner.startColumn >= outer.startColumn)
  const endsBefore = inner.endLine < outer.endLine || (inner.endLine === outer.endLine && inner.endColumn <= outer.endColumn)
  return inner.file === outer.file && startsAfter && endsBefore
}
