import { formatDiagnostics, printTestTime } from '@tripline/engine'
import type { ActualMatch } from '@tripline/engine'
import { escapeControl, escapeControlInLines } from './escape-control.ts'
import { printCorrelationRows, printCorrelationParts } from './print-correlation-explanation.ts'
import { printExplanationParts } from './print-explanation.ts'
import { printJunit } from './print-junit.ts'
import type { JunitCase } from './print-junit.ts'
import { countOutcomes } from './test-report.ts'
import type { TestProblem, TestRow, TestRun } from './test-report.ts'

/** Which lines people are shown besides failures. */
export type PrintOptions = { readonly explains: boolean; readonly namesUntested: boolean }

/** Prints a line for each test that failed, and the totals: what was asked stands last, where the eye is. */
export function printTestText(run: TestRun, { explains, namesUntested }: PrintOptions): string {
  const lines = run.rows.filter(({ outcome }) => outcome === 'failed').flatMap((row) => {
    return [`${printPlace(row)}: ${printName(row)}: ${escapeControl(row.reason ?? '')}`, ...(explains ? printExplanationLines(row) : [])]
  })
  const untested = namesUntested ? run.untested.map(({ path, title }) => `${escapeControl(path)}: ${escapeControl(title)}: no test`) : []
  return [...run.problems.map(printProblem), ...lines, ...untested, printTotals(run)].join('\n') + '\n'
}

function printProblem({ path, text, diagnostics }: TestProblem): string {
  const report = { path, id: '', title: '', kind: 'not-a-rule', verdict: 'invalid', diagnostics } as const
  return `${escapeControlInLines(formatDiagnostics(text, report))}\n`
}

function printPlace({ path, line, column }: TestRow): string {
  return `${escapeControl(path)}:${line}:${column}`
}

function printName({ title, name }: TestRow): string {
  return `${escapeControl(title)}, '${escapeControl(name)}'`
}

function printExplanationLines({ result }: TestRow): readonly string[] {
  const { explanation, correlation } = result ?? {}
  if (explanation !== undefined) return printExplanationParts(explanation.tree)
  return correlation === undefined ? [] : printCorrelationParts({ explanation: correlation, lineOf: (row) => row })
}

function printTotals(run: TestRun): string {
  const { tests, passed, failed, skipped, unreadable, rules_tested: tested, rules_without_tests: untested } = countOutcomes(run)
  const parts = [
    `${passed} passed`,
    ...(failed === 0 ? [] : [`${failed} failed`]),
    ...(skipped === 0 ? [] : [`${skipped} skipped, of rules that were not given`]),
  ]
  const notes = [
    `${printCount(tests, 'test')} of ${printCount(tested, 'rule')}: ${parts.join(', ')}`,
    ...(unreadable === 0 ? [] : [`${printCount(unreadable, 'problem')} in tests that cannot be read`]),
    ...(untested === 0 ? [] : [`${printCount(untested, 'rule')} without tests`]),
  ]
  return notes.join('; ')
}

function printCount(count: number, thing: string): string {
  return `${count.toLocaleString('en')} ${thing}${count === 1 ? '' : 's'}`
}

/** Prints a run as one JSON object. */
export function printTestJson(run: TestRun): string {
  const tests = run.rows.map(({ path, line, column, ruleId, title, name, outcome, reason, result }) => ({
    path,
    line,
    column,
    rule_id: ruleId,
    title,
    name,
    outcome,
    reason: reason ?? null,
    found: (result?.found ?? []).map((match) => toResultRow(match, result?.test.startAt ?? 0)),
    explain: result?.explanation?.tree
      ?? (result?.correlation && printCorrelationRows({ explanation: result.correlation, lineOf: (row) => row })) ?? null,
  }))
  const problems = run.problems.flatMap(({ path, diagnostics }) => (
    diagnostics.map(({ code, message, line, column, hint }) => ({ path, line, column, code, message, hint: hint ?? null }))
  ))
  const untested = run.untested.map(({ path, id, title }) => ({ path, rule_id: id, title }))
  return `${JSON.stringify({ tests, problems, untested, totals: countOutcomes(run) })}\n`
}

function toResultRow({ at, group, eventCount }: ActualMatch, startAt: number) {
  return { at: printTestTime(at, startAt), group: Object.fromEntries(group), events: eventCount }
}

/** Prints a run as JUnit XML, a suite for each document of tests; one that cannot be read has a test that failed. */
export function printTestJunit(run: TestRun): string {
  const suites = new Map<string, { readonly name: string; readonly file: string; readonly cases: JunitCase[] }>()
  const suiteOf = (path: string, title: string): JunitCase[] => {
    const key = JSON.stringify([path, title])
    const suite = suites.get(key) ?? { name: title === '' ? path : title, file: path, cases: [] }
    suites.set(key, suite)
    return suite.cases
  }
  for (const row of run.rows) {
    const { path, title, name, line, ms, outcome, reason = '' } = row
    const details = outcome === 'failed' ? [`${path}:${line}: ${reason}`, ...printExplanationLines(row)].join('\n') : ''
    suiteOf(path, title).push({ name, classname: path, line, ms, outcome, message: reason, details })
  }
  for (const { path, diagnostics } of run.problems) {
    for (const { message, line } of diagnostics) {
      const name = `tests can be read, line ${line}`
      suiteOf(path, '').push({ name, classname: path, line, ms: 0, outcome: 'failed', message, details: '' })
    }
  }
  return printJunit([...suites.values()])
}
