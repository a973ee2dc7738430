import { suggestName } from '@tripline/engine'
import type { Diagnostic, EventObject } from '@tripline/engine'
import { DiagnosticCollector } from '@tripline/engine/authoring'
import { LineIndex, findAttributePath, findEntry, readYaml } from '@tripline/engine/yaml'
import type { YamlMap, YamlNode } from '@tripline/engine/yaml'
import { limits } from '../limits.ts'
import { defaultStartAt } from './rule-test.ts'
import type { Expectation, RuleTestSuite } from './rule-test.ts'

/** The format of the events of a regression test: Windows event log, one JSON text, or one per line. */
const regressionTypes = ['evtx', 'json', 'ndjson', 'jsonl'] as const
export type RegressionType = (typeof regressionTypes)[number]

/** One entry of `regression_tests_info`. */
export type RegressionTest = {
  readonly name: string
  readonly line: number
  readonly column: number
  readonly type: RegressionType
  /** The path of its event file, relative to the root of the rule repository. */
  readonly file: string
  readonly expected: Expectation
}

/** The content of an `info.yml` of the SigmaHQ regression data. */
export type RegressionInfo = {
  readonly path: string
  /** The id of the tested rule in lower case; empty when missing. */
  readonly ruleId: string
  readonly title: string
  readonly tests: readonly RegressionTest[]
  readonly diagnostics: readonly Diagnostic[]
}

/**
 * Parses an `info.yml` of the SigmaHQ regression data: the id of a rule and its tests, each with an event file and the
 * minimum number of matching events (default one; zero means that none may match). Problems are among the
 * diagnostics; keys that do not affect the result are ignored.
 */
export function parseRegressionInfo(text: string, path: string): RegressionInfo {
  const lines = new LineIndex(text)
  const { documents, problem } = readYaml(text)
  const root = documents?.[0]
  const collector = new DiagnosticCollector((offset) => {
    return { ...lines.position(offset), attribute: root === undefined ? '' : findAttributePath(root, offset) }
  })
  if (problem !== undefined) collector.error({ code: 'YAML', ...problem })
  else if (root?.kind !== 'map') {
    reportInvalid(root?.offset ?? 0, "the file must be a map with 'rule_metadata' and 'regression_tests_info'", collector)
  }
  const map = root?.kind === 'map' ? root : undefined
  const rule = map && readRule(map, collector)
  const tests = map === undefined ? [] : readTests(map, collector).flatMap((node, i) => {
    const test = readRegressionTest(node, collector)
    return test === undefined ? [] : [{ ...test, name: test.name || `test ${i + 1}`, ...lines.position(node.offset) }]
  })
  const head = { path, ruleId: rule?.id ?? '', title: rule?.title ?? '' }
  return { ...head, tests: rule === undefined ? [] : tests, diagnostics: collector.diagnostics }
}

/** A regression test and the events of its file. */
type TestWithEvents = { readonly test: RegressionTest; readonly events: readonly EventObject[] }

/** Converts regression tests and their events to a suite of rule tests. */
export function toRuleTestSuite({ path, ruleId, title }: RegressionInfo, tests: readonly TestWithEvents[]): RuleTestSuite {
  return {
    path,
    ruleId,
    title,
    tests: tests.map(({ test: { name, line, column, expected }, events }) => (
      { name, line, column, startAt: defaultStartAt, events: events.map((event) => ({ at: defaultStartAt, event })), expected }
    )),
    diagnostics: [],
  }
}

function readRule(map: YamlMap, collector: DiagnosticCollector): { readonly id: string; readonly title: string } | undefined {
  const metadata = findEntry(map, 'rule_metadata')?.value
  const first = metadata?.kind === 'list' ? metadata.items[0] : metadata
  const id = first?.kind === 'map' ? getText(first, 'id') : ''
  if (first?.kind === 'map' && id !== '') return { id: id.toLowerCase(), title: getText(first, 'title') }
  reportInvalid(metadata?.offset ?? map.offset, "'rule_metadata' must name the 'id' of a rule", collector)
  return undefined
}

function readTests(map: YamlMap, collector: DiagnosticCollector): readonly YamlNode[] {
  const list = findEntry(map, 'regression_tests_info')?.value
  if (list?.kind !== 'list') {
    reportInvalid(list?.offset ?? map.offset, "'regression_tests_info' must be a list of tests", collector)
    return []
  }
  if (list.items.length <= limits.testsOfRuleMax) return list.items
  const message = `the file has ${list.items.length} tests; the limit is ${limits.testsOfRuleMax}`
  collector.error({ code: 'LIMIT_EXCEEDED', message, offset: list.offset })
  return list.items.slice(0, limits.testsOfRuleMax)
}

function readRegressionTest(node: YamlNode, collector: DiagnosticCollector): Omit<RegressionTest, 'line' | 'column'> | undefined {
  const file = node.kind === 'map' ? getText(node, 'path') : ''
  if (node.kind !== 'map' || file === '') {
    reportInvalid(node.offset, "an entry of 'regression_tests_info' must be a map with 'type' and 'path'", collector)
    return undefined
  }
  const typeText = getText(node, 'type').toLowerCase()
  const type = regressionTypes.find((candidate) => candidate === typeText)
  if (type === undefined) {
    const hint = suggestName(typeText, regressionTypes)
    reportInvalid((findEntry(node, 'type')?.value ?? node).offset, `'type' must be one of ${regressionTypes.join(', ')}`, collector, hint)
    return undefined
  }
  const expected = readExpectation(findEntry(node, 'match_count')?.value, collector)
  return expected && { name: getText(node, 'name'), type, file, expected }
}

function readExpectation(node: YamlNode | undefined, collector: DiagnosticCollector): Expectation | undefined {
  const count = node === undefined ? 1 : node.kind === 'scalar' && typeof node.value === 'number' ? node.value : Number.NaN
  if (count === 0) return { kind: 'match', isMatch: false }
  if (Number.isInteger(count) && count > 0) return { kind: 'count', count, isMinimum: true }
  reportInvalid(node?.offset ?? 0, "'match_count' must be a whole number", collector)
  return undefined
}

function getText(map: YamlMap, key: string): string {
  const value = findEntry(map, key)?.value
  return value?.kind === 'scalar' && value.value !== null ? value.text : ''
}

function reportInvalid(offset: number, message: string, collector: DiagnosticCollector, hint?: string): void {
  collector.error({ code: 'INVALID_TEST', message, offset, hint })
}
