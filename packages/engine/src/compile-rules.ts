import { compileCorrelations } from './compile/compile-correlations.ts'
import type { CorrelationDraft, ReferableRule, RuleReferences } from './compile/compile-correlations.ts'
import { LazyRule } from './compile/lazy-rule.ts'
import { ParsedRule } from './compiled-rule.ts'
import type { RuleHead } from './compiled-rule.ts'
import { checkOptions } from './check-options.ts'
import type { OptionNames } from './check-options.ts'
import { DiagnosticCollector } from './diagnostics.ts'
import type { RuleReport } from './diagnostics.ts'
import type { RuleLogsource } from './event/event.ts'
import { filterRule, reportDanglingTargets } from './compile/filter-drafts.ts'
import type { FilterDraft, FilterableDraft } from './compile/filter-drafts.ts'
import { hashToUuid } from './hash.ts'
import type { Predicate } from './predicate/predicate.ts'
import { readAttributeText, getRuleId, toRuleId } from './rule-id.ts'
import { RuleIdentities } from './compile/rule-identities.ts'
import type { RuleIdentity, RuleDocument } from './compile/rule-identities.ts'
import type { RuleTransform } from './compile/rule-transform.ts'
import { RuleSet } from './rule-set.ts'
import type { CompiledRule } from './compiled-rule.ts'
import './parts/provide-correlator.ts'
import './parts/provide-kernel.ts'
import { translateAggregation } from './sigma/aggregation.ts'
import type { TranslatedAggregation } from './sigma/aggregation.ts'
import { parseCorrelationRule } from './sigma/correlation-rule.ts'
import { parseFilterRule } from './sigma/filter-rule.ts'
import { lowerDetection } from './sigma/lower.ts'
import { parseDetectionRule } from './sigma/parse-rule.ts'
import type { PlaceholderSets } from './sigma/placeholders.ts'
import { collectDocuments, reportActions } from './sigma/rule-collection.ts'
import type { CollectedDocument } from './sigma/rule-collection.ts'
import type { Detection, DetectionRule } from './sigma/rule.ts'
import { SharedValueTests } from './sigma/shared-value-tests.ts'
import { LineIndex, findAttributePath, readYaml } from './sigma/yaml-document.ts'
import type { YamlNode } from './sigma/yaml-document.ts'
import { estimateTextWork } from './compile/work-budget.ts'
import type { WorkBudget } from './compile/work-budget.ts'

/** A YAML text with one or more rules. `path` only names the source in reports. */
export type RuleSource = {
  readonly path?: string
  readonly text: string
  /** Bounds the work for an untrusted text; sources may share a budget. A rule that exceeds it is invalid. */
  readonly budget?: WorkBudget
}

export type CompileOptions = {
  /** The values of placeholders such as `%Administrators%`; rules with an unknown placeholder are reported. */
  readonly placeholders?: PlaceholderSets
  /**
   * Reports invalid metadata, such as an unknown status or an id that is no UUID, and what the Sigma 2.2 draft forbids and
   * 2.1 allows as errors. Default false: as advice, and the rule runs.
   */
  readonly strict?: boolean
  /**
   * Enables array selectors in field names (`connections[any].ip`) for all rules. Default false, because field names
   * may contain brackets. A rule enables them for itself with `sigma-version: 3`.
   */
  readonly arraySyntax?: boolean
  /** A rule set whose rules correlations can also reference, to compile an edited rule against the others. */
  readonly among?: RuleSet
  /**
   * Receives each parsed detection rule that compiles. A compiled rule parses its attributes again on demand; a caller
   * that needs them for all rules collects them here and saves half of the compile time.
   */
  readonly onRule?: (id: string, rule: DetectionRule) => void
  /**
   * Rewrites each rule and filter before it is compiled, as processing pipelines do: field names, values, log source,
   * conditions. A rule with a problem is reported as invalid.
   */
  readonly transform?: RuleTransform
}

/** The rules that run, and a report for each rule in source order. */
export type Compilation = { readonly ruleSet: RuleSet; readonly reports: readonly RuleReport[] }

const compileOptionNames: OptionNames<CompileOptions> = {
  placeholders: true, strict: true, arraySyntax: true, among: true, onRule: true, transform: true,
}

/**
 * Compiles rule texts: one text, or a list of texts and sources. Never throws on an invalid rule: each rule gets a report
 * with its verdict and all its problems, and the rule set contains only those that compiled. A rule that is there twice runs
 * once; of different rules with the same id or name, the first has it, and the others run under ids derived from it.
 *
 * @throws TypeError for sources that are no texts, and for options that do not exist.
 */
export function compileRules(sources: string | Iterable<RuleSource | string>, options: CompileOptions = {}): Compilation {
  checkOptions('compileRules', options, compileOptionNames)
  const compiler = new RuleSetCompiler(options)
  for (const source of toSources(sources)) compiler.add(source)
  return compiler.finish()
}

/** Turns texts into sources without a path. */
function* toSources(sources: string | Iterable<RuleSource | string>): Generator<RuleSource> {
  if (typeof sources !== 'string' && typeof sources?.[Symbol.iterator] !== 'function') {
    throw new TypeError('compileRules takes a rule text or a list of sources, such as [{ path, text }]')
  }
  let index = 0
  for (const source of typeof sources === 'string' ? [sources] : sources) {
    const made = typeof source === 'string' ? { text: source } : source
    if (typeof made?.text !== 'string') throw new TypeError(`source ${index} has no text; a source is { path, text }`)
    index++
    yield made
  }
}

/** The source path of a document, and the text when it is the only document of its source. */
type Origin = { readonly path: string; readonly ruleText: string | undefined; readonly budget: WorkBudget | undefined }

/** A rule, what the engine calls it, and the budget for compiling it. */
type RuleNode = RuleDocument & { readonly identity: RuleIdentity; readonly budget: WorkBudget | undefined }

/** The parts of a report that do not depend on the verdict. */
type ReportHead = Pick<RuleReport, 'path' | 'id' | 'title' | 'kind'> & { readonly logsource?: RuleLogsource }

/** A compiled detection rule before filters are applied. */
type RuleDraft = FilterableDraft & { readonly makeRule: (head: RuleHead) => CompiledRule }

function reportExceededBudget({ max }: WorkBudget, collector: DiagnosticCollector, offset: number): void {
  const message = `compiling the rule takes more than ${max} work units; use fewer values or simpler regular expressions`
  collector.error({ code: 'LIMIT_EXCEEDED', message, offset })
}

class RuleSetCompiler {
  readonly #options: CompileOptions & { readonly placeholders: PlaceholderSets; readonly strict: boolean; readonly arraySyntax: boolean }
  readonly #reports: { readonly head: ReportHead; readonly collector: DiagnosticCollector }[] = []
  readonly #drafts: RuleDraft[] = []
  readonly #correlations: CorrelationDraft[] = []
  readonly #filters: FilterDraft[] = []
  readonly #identities = new RuleIdentities()
  /** Values that the rules of this compilation share. */
  readonly #logsources = new Map<string, RuleLogsource>()
  readonly #tests = new SharedValueTests()

  constructor({ placeholders = {}, strict = false, arraySyntax = false, ...rest }: CompileOptions) {
    this.#options = { ...rest, placeholders, strict, arraySyntax }
  }

  add({ path = '', text, budget }: RuleSource): void {
    const lines = new LineIndex(text)
    const collectorFor = (node?: YamlNode) =>
      new DiagnosticCollector((offset) => {
        return { ...lines.position(offset), attribute: node === undefined ? '' : findAttributePath(node, offset) }
      }, { isStrict: this.#options.strict })
    if (budget?.spend(estimateTextWork(text)) === false) {
      const collector = collectorFor()
      reportExceededBudget(budget, collector, 0)
      this.#report({ path, id: hashToUuid(text), title: '', kind: 'not-a-rule' }, collector)
      return
    }
    const { documents, problem } = readYaml(text)
    if (problem !== undefined) {
      const collector = collectorFor()
      collector.error({ code: 'YAML', message: problem.message, offset: problem.offset })
      this.#report({ path, id: hashToUuid(text), title: '', kind: 'not-a-rule' }, collector)
      return
    }
    const collected = collectDocuments(documents)
    if (documents.length === 0) {
      const collector = collectorFor()
      collector.error({ code: 'NOT_A_RULE', message: 'the text has no document', offset: 0 })
      this.#report({ path, id: hashToUuid(text), title: '', kind: 'not-a-rule' }, collector)
    }
    // A document of several may be merged from others, so its attributes are stored parsed.
    const ruleText = documents.length === 1 ? text : undefined
    for (const document of collected) this.#addDocument({ path, ruleText, budget }, document, collectorFor(document.node))
  }

  /** Applies filters to rules, and resolves the references of correlations. */
  finish(): Compilation {
    const filters = this.#filters.map(({ filter }) => filter)
    const rules = this.#drafts.map((draft) => draft.makeRule(filterRule(draft, filters)))
    for (const filter of this.#filters) reportDanglingTargets(filter, this.#drafts)
    const correlations = compileCorrelations(this.#correlations, this.#collectReferences(), this.#options.transform)
    const reports = this.#reports.map(({ head, collector }) => {
      return { ...head, verdict: collector.verdict, diagnostics: collector.diagnostics }
    })
    return { ruleSet: new RuleSet(rules, { correlations, filters }), reports }
  }

  #addDocument({ path, ruleText, budget }: Origin, document: CollectedDocument, collector: DiagnosticCollector): void {
    const { kind, node } = document
    const id = getRuleId(node)
    const title = readAttributeText(node, 'title')
    reportActions(document, id, collector)
    if (node.kind !== 'map') {
      collector.error({ code: 'NOT_A_RULE', message: `the document is a ${node.kind}; a rule must be a map`, offset: node.offset })
      this.#report({ path, id, title, kind }, collector)
      return
    }
    const stated = { id, path, node, ruleText }
    const identity = this.#identities.choose(stated)
    const head = { path, id: identity.id, title, kind }
    const rule = { ...stated, identity, budget }
    if (kind === 'correlation') this.#addCorrelation(head, rule, collector)
    else if (kind === 'filter') this.#addFilter(head, rule, collector)
    else this.#addDetection(head, rule, collector)
  }

  #addDetection(head: ReportHead, document: RuleNode, collector: DiagnosticCollector): void {
    const { node, ruleText, budget, identity } = document
    const aggregation = translateAggregation(node, nameBaseRule(head.id))
    if (aggregation !== undefined) return this.#addAggregation(head, document, aggregation, collector)
    const parsed = parseDetectionRule(node, collector, this.#options)
    const rule = parsed && this.#transform(parsed, node, collector)
    if (rule === undefined) return this.#report(head, collector)
    const predicate = this.#lower(rule.detection, budget, collector)
    const logsource = this.#internLogsource(rule.logsource)
    this.#report({ ...head, logsource }, collector)
    const claimed = this.#identities.claim(document, identity, rule.name, collector)
    if (claimed === undefined) return
    const { path, id } = head
    const { title } = rule
    const { arraySyntax } = this.#options
    // Only the text of a rule that nothing rewrote can be parsed again.
    const text = this.#options.transform === undefined ? ruleText : undefined
    const makeRule = (ruleHead: RuleHead): CompiledRule =>
      text === undefined ? new ParsedRule(ruleHead, rule) : new LazyRule(ruleHead, { text, arraySyntax })
    this.#drafts.push({ head: { id, name: claimed.name, title, level: rule.level, logsource, path, predicate }, makeRule })
    this.#options.onRule?.(id, rule)
  }

  /** Rewrites a rule as the caller wants it; undefined if it is refused. */
  #transform(rule: DetectionRule, { offset }: YamlNode, collector: DiagnosticCollector): DetectionRule | undefined {
    const transformed = this.#options.transform?.detection(rule) ?? { rule }
    if ('rule' in transformed) return transformed.rule
    collector.error({ code: 'REFUSED_BY_PIPELINE', message: transformed.problem, offset })
    return undefined
  }

  /** Adds a rule with an aggregation as a correlation with its id, and a base rule that finds the events. */
  #addAggregation(head: ReportHead, document: RuleNode, translated: TranslatedAggregation, collector: DiagnosticCollector): void {
    const { budget, identity } = document
    const { base, correlation: section, offset, equivalent } = translated
    const message = 'the engine runs the aggregation as a correlation rule'
    collector.lint({ code: 'TRANSLATED_AGGREGATION', message, offset, hint: `write a correlation rule: ${equivalent}` })
    const parsed = parseDetectionRule(base, collector, this.#options)
    const rule = parsed && this.#transform(parsed, base, collector)
    const correlation = parseCorrelationRule(section, collector)
    if (rule === undefined || correlation === undefined) return this.#report({ ...head, kind: 'correlation' }, collector)
    const predicate = this.#lower(rule.detection, budget, collector)
    const logsource = this.#internLogsource(rule.logsource)
    this.#report({ ...head, kind: 'correlation', logsource }, collector)
    const claimed = this.#identities.claim(document, identity, correlation.name, collector)
    if (claimed === undefined) return
    const { path, id } = head
    const { title } = correlation
    const { name } = claimed
    const baseHead = {
      id: hashToUuid(nameBaseRule(id)), name: nameBaseRule(id), title: `${title} (events)`, level: undefined, logsource, path, predicate,
    }
    const filteredAs = { id, name, logsource }
    this.#drafts.push({ head: baseHead, makeRule: (ruleHead) => new ParsedRule(ruleHead, rule), filteredAs })
    this.#correlations.push({ id, path, rule: { ...correlation, name }, collector })
  }

  #addCorrelation(head: ReportHead, document: RuleNode, collector: DiagnosticCollector): void {
    this.#report(head, collector)
    const rule = parseCorrelationRule(document.node, collector)
    if (rule === undefined) return
    const claimed = this.#identities.claim(document, document.identity, rule.name, collector)
    if (claimed === undefined) return
    this.#correlations.push({ id: head.id, path: head.path, rule: { ...rule, name: claimed.name }, collector })
  }

  #addFilter(head: ReportHead, document: RuleNode, collector: DiagnosticCollector): void {
    const { node, budget, identity } = document
    const parsed = parseFilterRule(node, collector, this.#options)
    const transformed = parsed && this.#transform(parsed, node, collector)
    const rule = parsed && transformed && { ...parsed, logsource: transformed.logsource, detection: transformed.detection }
    this.#report(rule === undefined ? head : { ...head, logsource: this.#internLogsource(rule.logsource) }, collector)
    if (rule === undefined) return
    const predicate = this.#lower(rule.detection, budget, collector)
    if (this.#identities.claim(document, identity, rule.name, collector) === undefined) return
    const { path, id } = head
    const ruleNames = rule.targets && new Set(rule.targets.flatMap(({ name }) => [name, toRuleId(name)]))
    const { title, logsource } = rule
    this.#filters.push({ filter: { kind: 'filter', id, title, path, logsource, ruleNames, predicate }, rule, collector })
  }

  #lower(detection: Detection, budget: WorkBudget | undefined, collector: DiagnosticCollector): Predicate {
    const { placeholders, strict } = this.#options
    const predicate = lowerDetection(detection, { placeholders, isStrict: strict, tests: this.#tests, budget }, collector)
    if (budget?.isExceeded === true) reportExceededBudget(budget, collector, detection.conditions[0]?.offset ?? 0)
    return predicate
  }

  /** Collects the rules that correlations can reference. */
  #collectReferences(): RuleReferences {
    if (this.#correlations.length === 0) return { findId: () => undefined, findRule: () => undefined, listNames: () => [] }
    const { among } = this.#options
    const rules = new Map<string, ReferableRule>()
    const named = new Map<string, string>()
    for (const rule of [...(among?.rules ?? []), ...(among?.correlations ?? []), ...this.#drafts.map(({ head }) => head)]) {
      rules.set(rule.id, rule)
      const name = 'members' in rule ? rule.rule.name : rule.name
      if (name !== undefined) named.set(name, rule.id)
    }
    const idOf = (name: string): string | undefined => named.get(name) ?? (rules.has(toRuleId(name)) ? toRuleId(name) : undefined)
    return { findId: idOf, findRule: (id) => rules.get(id), listNames: () => [...named.keys(), ...rules.keys()] }
  }

  /** Returns the interned logsource of a rule without its definition. */
  #internLogsource({ category, product, service, anyOf }: RuleLogsource): RuleLogsource {
    const one = { ...(category && { category }), ...(product && { product }), ...(service && { service }) }
    const logsource = { ...one, ...(anyOf && { anyOf }) }
    const key = JSON.stringify(logsource)
    const known = this.#logsources.get(key) ?? logsource
    this.#logsources.set(key, known)
    return known
  }

  #report(head: ReportHead, collector: DiagnosticCollector): void {
    this.#reports.push({ head, collector })
  }
}

/** Names the base rule of a rule with an aggregation. */
function nameBaseRule(id: string): string {
  return `${id} events`
}
