/** What became of a mutant. */
export type MutantResult = {
  readonly file: string
  readonly line: number
  readonly mutatorName: string
  /** The code before and after; what spans lines is cut. */
  readonly original: string
  readonly replacement: string
  readonly status: 'Killed' | 'Survived' | 'Timeout' | 'NoCoverage' | 'Ignored' | 'RuntimeError' | 'CompileError'
}

/** The mutants that tests noticed or not. Those that cannot run count as neither. */
export function countOutcomes(results: readonly MutantResult[]): {
  readonly killedCount: number
  /** Those among the killed whose tests came to no end in their time. */
  readonly timeoutCount: number
  readonly survivedCount: number
  /** Mutants of values that are made once, when a module is loaded. */
  readonly staticCount: number
  /** Percent of the mutants that tests noticed; 100 without any. */
  readonly score: number
} {
  const count = (...statuses: readonly MutantResult['status'][]): number =>
    results.filter(({ status }) => statuses.includes(status)).length
  const killedCount = count('Killed', 'Timeout')
  const survivedCount = count('Survived', 'NoCoverage')
  const runCount = killedCount + survivedCount
  return {
    killedCount, timeoutCount: count('Timeout'), survivedCount, staticCount: count('Ignored'),
    score: runCount === 0 ? 100 : (100 * killedCount) / runCount,
  }
}

/** What is printed of mutants beside those that tests killed. */
const remarks: ReadonlyMap<MutantResult['status'], string> = new Map([
  ['Survived', ''], ['NoCoverage', ' (no test runs it)'], ['Timeout', ' (killed by time)'],
])

/** The counts of each file, and the mutants that no test noticed or that were killed by time alone, as lines of text. */
export function printReport(results: readonly MutantResult[]): string {
  const files = [...new Set(results.map(({ file }) => file))].sort()
  const rows = files.map((file) => {
    const { killedCount, survivedCount, score } = countOutcomes(results.filter((result) => result.file === file))
    const count = `${String(killedCount).padStart(5)} of ${String(killedCount + survivedCount).padEnd(5)}`
    return `${score.toFixed(0).padStart(5)} % ${count} ${file}`
  })
  const listed = results.filter(({ status }) => remarks.has(status)).map((result) => {
    const remark = remarks.get(result.status)
    const change = `${cut(result.original)} -> ${cut(result.replacement)}`
    return `${result.file}:${result.line} ${result.mutatorName}${remark}: ${change}`
  })
  return [...rows, '', ...listed, ''].join('\n')
}

function cut(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ')
  return line.length > 60 ? `${line.slice(0, 60)}…` : line
}
