import { formatDiagnostics } from '@tripline/engine'
import { lintLevels } from '@tripline/rule-tools'
import type { LintFinding, LintLevel, LintReport } from '@tripline/rule-tools'
import { escapeControlInLines } from '../framework/escape-control.ts'

/** A file that was mended, and by the fixes of which checks. */
export type FixedFile = { readonly path: string; readonly codes: readonly string[] }

/** What lint found and mended; `texts` has the text of each source by its path. */
type LintResult = {
  readonly reports: readonly LintReport[]
  readonly fixed: readonly FixedFile[]
  readonly texts: ReadonlyMap<string, string>
  /** Whether what can be mended was. */
  readonly isFixed: boolean
}

export function printLintJson({ reports, fixed }: LintResult): string {
  const files = reports.filter(({ findings }) => findings.length > 0)
    .map(({ path, findings }) => ({ path, findings: findings.map(toFindingRow) }))
  const { counts, fixableCount } = countFindings(reports)
  return JSON.stringify({ files, fixed, totals: { files: reports.length, ...counts, fixable: fixableCount } }) + '\n'
}

function toFindingRow({ code, level, message, line, column, attribute, hint, fix }: LintFinding): Record<string, unknown> {
  const fixRow = fix === undefined ? null : { safe: fix.isSafe, edits: fix.edits }
  return { code, level, message, line, column, attribute, hint: hint ?? null, fix: fixRow }
}

/** The findings with their places, one block each, what was mended, and the counts, which stand last, where the eye is. */
export function printLintText({ reports, fixed, texts, isFixed }: LintResult): string {
  const blocks = reports.filter(({ findings }) => findings.length > 0).map(({ path, findings }) => {
    const diagnostics = findings.map((finding) => ({ ...finding, kind: finding.level }))
    return escapeControlInLines(formatDiagnostics(texts.get(path) ?? '', { path, diagnostics }))
  })
  const mended = fixed.map(({ path, codes }) => escapeControlInLines(`fixed ${path}: ${printTally(codes)}`))
  return [...blocks, ...(mended.length === 0 ? [] : [mended.join('\n')]), printTotals(reports, isFixed)].join('\n\n') + '\n'
}

function printTotals(reports: readonly LintReport[], isFixed: boolean): string {
  const { counts, fixableCount } = countFindings(reports)
  const parts = lintLevels.toReversed().filter((level) => counts[level] > 0).map((level) => `${counts[level]} ${level}`)
  const files = `${reports.length} ${reports.length === 1 ? 'file' : 'files'}`
  const fixNote = fixableCount === 0 ? ''
    : isFixed ? `; fixes left out, because nothing shows that the rules mean the same after them: ${fixableCount}`
    : `; ${fixableCount} can be fixed safely (--fix)`
  return `${files}: ${parts.length === 0 ? 'nothing found' : parts.join(', ')}${fixNote}`
}

function countFindings(reports: readonly LintReport[]) {
  const counts: Record<LintLevel, number> = { error: 0, problem: 0, advice: 0, style: 0, optional: 0 }
  let fixableCount = 0
  for (const { findings } of reports) {
    for (const { level, fix } of findings) {
      counts[level]++
      if (fix?.isSafe === true) fixableCount++
    }
  }
  return { counts, fixableCount }
}

/** Says how often each code stands in a list: `TAG_CASE, TRAILING_BLANKS (3)`. */
function printTally(codes: readonly string[]): string {
  const counts = Map.groupBy(codes, (code) => code)
  return Array.from(counts, ([code, { length }]) => length === 1 ? code : `${code} (${length})`).join(', ')
}
