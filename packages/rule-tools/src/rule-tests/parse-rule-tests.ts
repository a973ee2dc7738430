import { suggestName } from '@tripline/engine'
import type { RuleKind } from '@tripline/engine'
import { DiagnosticCollector, readAttributeText, getRuleId, collectDocuments } from '@tripline/engine/authoring'
import { LineIndex, findAttributePath, findEntry, readYaml } from '@tripline/engine/yaml'
import type { YamlMap, YamlNode } from '@tripline/engine/yaml'
import { limits } from '../limits.ts'
import { readTest } from './read-test.ts'
import type { RuleTestSuite } from './rule-test.ts'

/** The text of a rule file or a test file, with its path. */
export type TestSource = { readonly path?: string; readonly text: string }

const testFileEnding = /\.test\.ya?ml$/i

/** Whether a file is a test file by its name: `x.test.yml`. */
export function isTestFile(path: string): boolean {
  return testFileEnding.test(path)
}

/**
 * Parses rule tests: the attribute `tests` of rules, and the documents of `x.test.yml`, which test the rule in `x.yml`
 * or the one they name. Never throws; problems are among the diagnostics of the suite. A rule without tests has no
 * suite, and `compileRules` reports the problems of rules.
 */
export function parseRuleTests(sources: Iterable<TestSource>): RuleTestSuite[] {
  const suites: RuleTestSuite[] = []
  const rules: RuleDocument[] = []
  const files: { readonly path: string; readonly text: string }[] = []
  for (const { path = '', text } of sources) {
    if (isTestFile(path)) files.push({ path, text })
    else {
      for (const rule of readRuleDocuments(path, text)) {
        rules.push(rule)
        const tests = rule.node.kind === 'map' ? findEntry(rule.node, 'tests') : undefined
        if (tests !== undefined) suites.push(readSuite(rule, tests.value, new SuiteSource(path, text, rule.node)))
      }
    }
  }
  return [...suites, ...files.flatMap(({ path, text }) => readTestFile(path, text, rules))]
}

/** A rule document with what its tests need. */
type RuleDocument = {
  readonly path: string
  readonly kind: RuleKind
  readonly id: string
  readonly name: string
  readonly title: string
  readonly node: YamlNode
}

function readRuleDocuments(path: string, text: string): RuleDocument[] {
  return collectDocuments(readYaml(text).documents ?? []).map(({ kind, node }) => (
    { path, kind, id: getRuleId(node), name: readAttributeText(node, 'name'), title: readAttributeText(node, 'title'), node }
  ))
}

/** A source, and the diagnostics of one of its documents. */
class SuiteSource {
  readonly path: string
  readonly lines: LineIndex
  readonly collector: DiagnosticCollector

  constructor(path: string, text: string, node: YamlNode | undefined) {
    this.path = path
    this.lines = new LineIndex(text)
    this.collector = new DiagnosticCollector((offset) => {
      return { ...this.lines.position(offset), attribute: node === undefined ? '' : findAttributePath(node, offset) }
    })
  }

  reportInvalid(node: YamlNode, message: string, hint?: string): void {
    this.collector.error({ code: 'INVALID_TEST', message, offset: node.offset, hint })
  }
}

function readSuite(rule: RuleDocument, tests: YamlNode, text: SuiteSource): RuleTestSuite {
  const { path, collector, lines } = text
  const head = { path, ruleId: rule.id, title: rule.title }
  if (rule.kind === 'filter') text.reportInvalid(tests, 'a filter rule has no tests of its own; test the rules it applies to')
  if (tests.kind !== 'list' || tests.items.length === 0) text.reportInvalid(tests, "'tests' must be a non-empty list of tests")
  const items = tests.kind === 'list' && rule.kind !== 'filter' ? tests.items : []
  if (items.length > limits.testsOfRuleMax) {
    const message = `the rule has ${items.length} tests; the limit is ${limits.testsOfRuleMax}`
    collector.error({ code: 'LIMIT_EXCEEDED', message, offset: tests.offset })
  }
  const read = items.slice(0, limits.testsOfRuleMax).map((item, i) => {
    return readTest(item, collector, { nameless: `test ${i + 1}`, positionOf: (offset) => lines.position(offset) })
  })
  return { ...head, tests: read.filter((test) => test !== undefined), diagnostics: collector.diagnostics }
}

function readTestFile(path: string, text: string, rules: readonly RuleDocument[]): RuleTestSuite[] {
  const { documents, problem } = readYaml(text)
  if (documents === undefined) {
    const unreadable = new SuiteSource(path, text, undefined)
    unreadable.collector.error({ code: 'YAML', ...problem })
    return [createRulelessSuite(unreadable)]
  }
  if (documents.length === 0) {
    const empty = new SuiteSource(path, text, undefined)
    empty.collector.error({ code: 'INVALID_TEST', message: 'the file has no tests', offset: 0 })
    return [createRulelessSuite(empty)]
  }
  return documents.map((node) => readTestDocument(node, new SuiteSource(path, text, node), rules))
}

function readTestDocument(node: YamlNode, text: SuiteSource, rules: readonly RuleDocument[]): RuleTestSuite {
  const tests = node.kind === 'map' ? findEntry(node, 'tests')?.value : undefined
  if (node.kind !== 'map' || tests === undefined) {
    text.reportInvalid(node, "a test document must be a map with 'tests', and 'rule' when the rule is not in the file next to it")
    return createRulelessSuite(text)
  }
  for (const { key, keyOffset } of node.entries) {
    if (key === 'rule' || key === 'tests') continue
    const hint = suggestName(key, ['rule', 'tests'])
    const message = `the key '${key}' is not allowed in a test document`
    text.collector.error({ code: 'INVALID_TEST', message, offset: keyOffset, hint })
  }
  const rule = findTestedRule(node, text, rules)
  return rule === undefined ? createRulelessSuite(text) : readSuite(rule, tests, text)
}

/** Finds the rule of a test document: the one it names, or the one in the file next to it. */
function findTestedRule(document: YamlMap, text: SuiteSource, rules: readonly RuleDocument[]): RuleDocument | undefined {
  const named = findEntry(document, 'rule')?.value
  if (named !== undefined) {
    const name = named.kind === 'scalar' ? named.text : ''
    const rule = rules.find(({ id }) => id === name.toLowerCase()) ?? rules.find((other) => name !== '' && other.name === name)
    if (rule === undefined) {
      const hint = suggestName(name, rules.map((other) => other.name))
      text.reportInvalid(named, `no rule has the id or name '${name}'`, hint)
    }
    return rule
  }
  const stem = text.path.replace(testFileEnding, '')
  const beside = rules.filter(({ path }) => path === `${stem}.yml` || path === `${stem}.yaml`)
  if (beside.length === 1) return beside[0]
  const message = beside.length === 0
    ? `there is no rule in ${stem}.yml; name one with 'rule'`
    : `${stem}.yml has ${beside.length} rules; name one with 'rule'`
  text.reportInvalid(document, message)
  return undefined
}

function createRulelessSuite({ path, collector }: SuiteSource): RuleTestSuite {
  return { path, ruleId: undefined, title: '', tests: [], diagnostics: collector.diagnostics }
}
