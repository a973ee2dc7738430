import type { Row } from './suite.ts'

/** Counts that a run must come to, by corpus, suite and case. */
export type Expected = { [corpus in Report['corpus']]?: { [suite: string]: ExpectedCounts } }
type ExpectedCounts = { readonly [name: string]: Row['counts'] }

/** What is kept of a run of a suite. */
export type Report = {
  readonly suite: string
  readonly title: string
  readonly corpus: 'shared' | 'fixtures'
  /** Events that the suite makes; without them it ran on the corpus's. */
  readonly ownEvents?: string
  readonly date: string
  readonly command: string
  readonly machine: {
    readonly cpu: string
    readonly cores: number
    readonly memoryGiB: number
    readonly node: string
    readonly v8: string
    readonly tripline: string
  }
  readonly rows: readonly Row[]
}

/** What is wrong with the counts of a run, as sentences; none when they are the expected ones. */
export function findWrongCounts(expected: ExpectedCounts | undefined, rows: readonly Row[]): string[] {
  if (expected === undefined) return ['no counts are expected of it yet; --accept takes those of this run']
  const missing = Object.keys(expected).filter((name) => rows.every((row) => row.case !== name))
  return [
    ...missing.map((name) => `'${name}' was not run`),
    ...rows.flatMap((row) => {
      const wanted = expected[row.case]
      if (wanted === undefined) return [`nothing is expected of '${row.case}'`]
      const names = new Set([...Object.keys(wanted), ...Object.keys(row.counts)])
      return [...names].filter((name) => wanted[name] !== row.counts[name])
        .map((name) => `'${row.case}' has ${row.counts[name]} ${name} instead of ${wanted[name]}`)
    }),
  ]
}

/** The table of a run, with the machine it ran on. */
export function printMarkdown({ title, corpus, ownEvents, date, command, machine, rows }: Report): string {
  const countNames = [...new Set(rows.flatMap(({ counts }) => Object.keys(counts)))]
  const figureNames = [...new Set(rows.flatMap(({ figures }) => Object.keys(figures)))]
  const heads = ['case', ...countNames, ...figureNames]
  const cells = rows.map(({ case: name, counts, figures }) => {
    return [name, ...countNames.map((count) => formatCell(counts[count])), ...figureNames.map((figure) => formatCell(figures[figure]))]
  })
  const line = (texts: readonly string[]): string => `| ${texts.join(' | ')} |\n`
  const events = corpus === 'shared'
    ? `SigmaHQ's rules and ${ownEvents ?? 'recorded events'}`
    : `the project's own ${ownEvents === undefined ? 'fixtures, which are few' : `rules, which are few, and ${ownEvents}`}`
  return `# ${title}\n\n${line(heads)}${line(heads.map(() => '---'))}${cells.map(line).join('')}\n`
    + `On ${events}; ${date}, ${machine.cpu}, ${machine.cores} cores, ${machine.memoryGiB} GiB, Node ${machine.node}, `
    + `V8 ${machine.v8}, Tripline ${machine.tripline}. Times are processor time of one thread.\n\n\`\`\`sh\n${command}\n\`\`\`\n`
}

function formatCell(value: number | string | null | undefined): string {
  return typeof value === 'number' ? value.toLocaleString('en', { maximumFractionDigits: 3 }) : value?.replaceAll('|', '\\|') ?? '–'
}
