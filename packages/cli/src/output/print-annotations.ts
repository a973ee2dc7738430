import type { Diagnostic } from '@tripline/engine'
import type { LintFinding, LintReport } from '@tripline/rule-tools'
import type { TestRun } from '../rules/test-report.ts'

type AnnotationLevel = 'error' | 'warning' | 'notice'

/** GitHub's words for our levels. */
const annotationLevels: { readonly [level in LintFinding['level']]: AnnotationLevel } = {
  error: 'error', problem: 'warning', advice: 'notice', style: 'notice', optional: 'notice',
}

/** The same for problems of rules and tests. */
const problemLevels: { readonly [kind in Diagnostic['kind']]: AnnotationLevel } = {
  error: 'error', unsupported: 'error', unconfigured: 'warning', lint: 'notice',
}

/** Prints findings as workflow commands, which GitHub shows beside the lines of a change. */
export function printLintAnnotations({ reports }: { readonly reports: readonly LintReport[] }): string {
  return reports.flatMap(({ path, findings }) => findings.map((finding) => {
    return printAnnotation(annotationLevels[finding.level], { path, ...finding, title: finding.code })
  })).join('')
}

/** Prints failed tests, and what kept tests from running, in the same way. */
export function printTestAnnotations({ rows, problems, invalidRules }: TestRun): string {
  const failed = rows.filter(({ outcome }) => outcome === 'failed').map(({ path, line, column, title, name, reason = '' }) => {
    return printAnnotation('error', { path, line, column, title: 'TEST_FAILED', message: `${title}, '${name}': ${reason}` })
  })
  const unreadable = [
    ...problems, ...invalidRules.map(({ report: { path, diagnostics } }) => ({ path, diagnostics })),
  ].flatMap(({ path, diagnostics }) => diagnostics.map((diagnostic) => printAnnotation(problemLevels[diagnostic.kind], {
    path, ...diagnostic, title: diagnostic.code,
  })))
  return [...failed, ...unreadable].join('')
}

type Annotation = {
  readonly path: string
  readonly line: number
  readonly column: number
  readonly title: string
  readonly message: string
  readonly hint?: string | undefined
}

function printAnnotation(level: AnnotationLevel, { path, line, column, title, message, hint }: Annotation): string {
  const place = `file=${escapeProperty(path.replaceAll('\\', '/'))},line=${line},col=${column},title=${escapeProperty(title)}`
  return `::${level} ${place}::${escapeData(hint === undefined ? message : `${message}; ${hint}`)}\n`
}

/** A line break would end the command, and `::` in a message could begin another one. */
function escapeData(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A')
}

function escapeProperty(text: string): string {
  return escapeData(text).replaceAll(':', '%3A').replaceAll(',', '%2C')
}
