import { formatDiagnostics } from '@tripline/engine'
import type { RuleReport } from '@tripline/engine'
import { printTestTime } from '@tripline/rule-tools'
import type { ActualMatch } from '@tripline/rule-tools'
import { escapeControl, escapeControlInLines } from '../framework/escape-control.ts'
import type { LinePlace } from '../framework/line-place.ts'
import { countOutcomes } from '../rules/test-report.ts'
import type { TestProblem, TestRow, TestRun } from '../rules/test-report.ts'
import { printCorrelationRows, printCorrelationParts } from './print-correlation-explanation.ts'
import { printExplanationParts } from './print-explanation.ts'
import { printJunit } from './print-junit.ts'
import type { JunitCase } from './print-junit.ts'

/** Which lines people are shown besides failures. */
type PrintOptions = { readonly explains: boolean; readonly namesUntested: boolean }

/** Prints a line for each test that failed, and the totals: what was asked stands last, where the eye is. */
export function printTestText(run: TestRun, { explains, namesUntested }: PrintOptions): string {
  const lines = run.rows.filter(({ outcome }) => outcome === 'failed').flatMap((row) => {
    return [`${printPlace(row)}: ${printName(row)}: ${escapeControl(row.reason ?? '')}`, ...(explains ? printExplanationLines(row) : [])]
  })
  const untested = namesUntested ? run.untested.map(({ path, title }) => `${escapeControl(path)}: ${escapeControl(title)}: no test`) : []
  const invalid = run.invalidRules.map(({ text, report }) => printReport(text, report))
  return [...invalid, ...run.problems.map(printProblem), ...lines, ...untested, ...printUnrouted(run), printTotals(run)].join('\n') + '\n'
}

const unroutedReason = 'events of unknown log source, which do not reach the rule outside of tests; '
  + "add the fields that tell it, or '_logsource'"

/** Prints a warning for each rule whose tests have events that would not reach it outside of a test. */
function printUnrouted({ rows }: TestRun): readonly string[] {
  const suites = new Map<string, { readonly first: TestRow; readonly count: number }>()
  for (const row of rows.filter(isUnrouted)) {
    const key = JSON.stringify([row.path, row.ruleId])
    const { first = row, count = 0 } = suites.get(key) ?? {}
    suites.set(key, { first, count: count + 1 })
  }
  return Array.from(suites.values(), ({ first, count }) => {
    const where = count === 1 ? '1 test has' : `${count} tests have`
    return `${printPlace(first)}: warning: ${escapeControl(first.title)}: ${where} ${unroutedReason}`
  })
}

function isUnrouted({ result }: TestRow): boolean {
  return result !== undefined && result.unroutedCount > 0
}

function printProblem({ path, text, diagnostics }: TestProblem): string {
  return printReport(text, { path, id: '', title: '', kind: 'not-a-rule', verdict: 'invalid', diagnostics })
}

function printReport(text: string, report: RuleReport): string {
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
  return correlation === undefined ? [] : printCorrelationParts({ explanation: correlation, placeOf: placeTestEvent })
}

/** Events of a test are counted from 1, as the lines of its file would be. */
function placeTestEvent(row: number): LinePlace {
  return { line: row + 1, path: undefined }
}

function printTotals(run: TestRun): string {
  const { tests, passed, failed, skipped, unreadable, ...rules } = countOutcomes(run)
  const { invalid_rules: invalid, rules_tested: tested, rules_without_tests: untested } = rules
  const parts = [
    `${passed} passed`,
    ...(failed === 0 ? [] : [`${failed} failed`]),
    ...(skipped === 0 ? [] : [`${skipped} skipped, of rules that were not given`]),
  ]
  const notes = [
    `${printCount(tests, 'test')} of ${printCount(tested, 'rule')}: ${parts.join(', ')}`,
    ...(unreadable === 0 ? [] : [`${printCount(unreadable, 'problem')} in tests that cannot be read`]),
    ...(invalid === 0 ? [] : [printCount(invalid, 'invalid rule')]),
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
    warning: result !== undefined && result.unroutedCount > 0 ? `the test has ${unroutedReason}` : null,
    found: (result?.found ?? []).map((match) => toResultRow(match, result?.test.startAt ?? 0)),
    explain: result?.explanation?.tree
      ?? (result?.correlation && printCorrelationRows({ explanation: result.correlation, placeOf: placeTestEvent })) ?? null,
  }))
  const invalid = run.invalidRules.map(({ report }) => report)
  const problems = [...invalid, ...run.problems].flatMap(({ path, diagnostics }) => (
    diagnostics.map(({ code, message, line, column, hint }) => ({ path, line, column, code, message, hint: hint ?? null }))
  ))
  const untested = run.untested.map(({ path, id, title }) => ({ path, rule_id: id, title }))
  return `${JSON.stringify({ tests, problems, untested, totals: countOutcomes(run) })}\n`
}

function toResultRow({ at, group, eventCount }: ActualMatch, startAt: number) {
  return { at: printTestTime(at, startAt), group: Object.fromEntries(group), events: eventCount }
}

/** Prints a run as JUnit XML, a suite for each document of tests; an invalid rule and unreadable tests count as a failed test. */
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
  const problems = [
    ...run.invalidRules.map(({ report: { path, diagnostics } }) => ({ path, diagnostics, claim: 'the rule is valid' })),
    ...run.problems.map(({ path, diagnostics }) => ({ path, diagnostics, claim: 'tests can be read' })),
  ]
  for (const { path, diagnostics, claim } of problems) {
    for (const { message, line } of diagnostics) {
      const name = `${claim}, line ${line}`
      suiteOf(path, '').push({ name, classname: path, line, ms: 0, outcome: 'failed', message, details: '' })
    }
  }
  return printJunit([...suites.values()])
}
