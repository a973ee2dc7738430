import { DiagnosticCollector, suggestName } from '../diagnostics.ts'
import type { RuleKind } from '../diagnostics.ts'
import { limits } from '../limits.ts'
import { readAttributeText, getRuleId } from '../rule-id.ts'
import { collectDocuments } from '../sigma/rule-collection.ts'
import { LineIndex, findAttributePath, findEntry, readYaml } from '../sigma/yaml-document.ts'
import type { YamlMap, YamlNode } from '../sigma/yaml-document.ts'
import { readTest } from './read-test.ts'
import type { RuleTestSuite } from './rule-test.ts'

/** A text with rules or with tests of rules, and where it is from. */
export type TestSource = { readonly path?: string; readonly text: string }

const testFileEnding = /\.test\.ya?ml$/i

/** Whether a file holds tests of rules and no rules, by its name: `x.test.yml`. */
export function isTestFile(path: string): boolean {
  return testFileEnding.test(path)
}

/**
 * Reads the tests of rules: of the attribute `tests` of each rule, and of the documents of `x.test.yml`, which are
 * of the rule in `x.yml` or of one that they name. Never throws on a bad one: what is wrong with it is among the
 * diagnostics of its suite. Rules without tests have no suite, and rules that cannot be read have their reports
 * from `compileRules`.
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

/** A document that is a rule, as far as its tests need to know. */
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

/** A text, and what is found to be wrong with a document of it. */
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
  if (rule.kind === 'filter') text.reportInvalid(tests, 'a filter rule is tested by the tests of the rules that it is for')
  if (tests.kind !== 'list' || tests.items.length === 0) text.reportInvalid(tests, "'tests' must be a list of tests")
  const items = tests.kind === 'list' && rule.kind !== 'filter' ? tests.items : []
  if (items.length > limits.testsOfRuleMax) {
    const message = `the rule has ${items.length} tests; at most ${limits.testsOfRuleMax} are read`
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
    empty.collector.error({ code: 'INVALID_TEST', message: 'the text holds no tests', offset: 0 })
    return [createRulelessSuite(empty)]
  }
  return documents.map((node) => readTestDocument(node, new SuiteSource(path, text, node), rules))
}

function readTestDocument(node: YamlNode, text: SuiteSource, rules: readonly RuleDocument[]): RuleTestSuite {
  const tests = node.kind === 'map' ? findEntry(node, 'tests')?.value : undefined
  if (node.kind !== 'map' || tests === undefined) {
    text.reportInvalid(node, "a document of tests must be a map with 'tests', and 'rule' where it is not clear which")
    return createRulelessSuite(text)
  }
  for (const { key, keyOffset } of node.entries) {
    if (key === 'rule' || key === 'tests') continue
    const hint = suggestName(key, ['rule', 'tests'])
    text.collector.error({ code: 'INVALID_TEST', message: `a document of tests has no '${key}'`, offset: keyOffset, hint })
  }
  const rule = findTestedRule(node, text, rules)
  return rule === undefined ? createRulelessSuite(text) : readSuite(rule, tests, text)
}

/** The rule that tests of a file of their own are of: the one that they name, or the one beside the file. */
function findTestedRule(document: YamlMap, text: SuiteSource, rules: readonly RuleDocument[]): RuleDocument | undefined {
  const named = findEntry(document, 'rule')?.value
  if (named !== undefined) {
    const name = named.kind === 'scalar' ? named.text : ''
    const rule = rules.find(({ id }) => id === name.toLowerCase()) ?? rules.find((other) => name !== '' && other.name === name)
    if (rule === undefined) {
      const hint = suggestName(name, rules.map((other) => other.name))
      text.reportInvalid(named, `no rule that was given has the id or name '${name}'`, hint)
    }
    return rule
  }
  const stem = text.path.replace(testFileEnding, '')
  const beside = rules.filter(({ path }) => path === `${stem}.yml` || path === `${stem}.yaml`)
  if (beside.length === 1) return beside[0]
  const message = beside.length === 0
    ? `no rule stands beside it in ${stem}.yml; name one with 'rule'`
    : `${stem}.yml holds ${beside.length} rules; say with 'rule' which one is tested`
  text.reportInvalid(document, message)
  return undefined
}

function createRulelessSuite({ path, collector }: SuiteSource): RuleTestSuite {
  return { path, ruleId: undefined, title: '', tests: [], diagnostics: collector.diagnostics }
}
