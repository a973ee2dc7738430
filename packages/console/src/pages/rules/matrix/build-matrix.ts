import type { CoverageBody } from '@tripline/contract/console/rules/coverage'

/** Which techniques are shown: those with rules, those of them without an effective one, or all. */
export const matrixFilters = ['ruled', 'gaps', 'all'] as const
type MatrixFilter = (typeof matrixFilters)[number]

export type MatrixCell = CoverageBody['techniques'][number]

/** A tactic with its techniques, sub-techniques after their own. */
type MatrixColumn = {
  readonly tactic: string
  readonly techniques: number
  readonly covered: number
  readonly cells: readonly MatrixCell[]
}

/** Arranges coverage as the matrix of ATT&CK; a column without a technique to show is left out. */
export function buildMatrix({ tactics, techniques }: CoverageBody, filter: MatrixFilter): readonly MatrixColumn[] {
  const shown = techniques.filter(({ rules, effective }) => filter === 'all' || (rules > 0 && (filter === 'ruled' || effective === 0)))
  return tactics.flatMap(({ tactic, techniques: count, covered_techniques: covered }) => {
    // The API sorts by id, so that T1059.001 follows T1059.
    const cells = shown.filter((cell) => cell.tactics.includes(tactic))
    return cells.length === 0 ? [] : [{ tactic, techniques: count, covered, cells }]
  })
}
