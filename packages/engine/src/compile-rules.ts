import { applyFilters, appliesToRule, namesRule } from './apply-filters.ts'
import type { CompiledFilter, FilterableRule } from './apply-filters.ts'
import { compileCorrelations } from './compile-correlations.ts'
import type { CorrelationDraft, RuleReferences } from './compile-correlations.ts'
import { DiagnosticCollector, suggestName } from './diagnostics.ts'
import type { RuleReport } from './diagnostics.ts'
import { logsourceContains } from './event/contains-logsource.ts'
import type { Logsource } from './event/event.ts'
import { hashToUuid } from './hash.ts'
import { LazyRule } from './lazy-rule.ts'
import type { RuleHead } from './lazy-rule.ts'
import type { Predicate } from './predicate/predicate.ts'
import { readAttributeText, getRuleId } from './rule-id.ts'
import { RuleSet } from './rule-set.ts'
import type { CompiledRule } from './rule-set.ts'
import { translateAggregation } from './sigma/aggregation.ts'
import type { TranslatedAggregation } from './sigma/aggregation.ts'
import { parseCorrelationRule } from './sigma/correlation-rule.ts'
import { parseFilterRule } from './sigma/filter-rule.ts'
import type { FilterRule } from './sigma/filter-rule.ts'
import { lowerDetection } from './sigma/lower.ts'
import { parseDetectionRule } from './sigma/parse-rule.ts'
import type { PlaceholderSets } from './sigma/placeholders.ts'
import { collectDocuments } from './sigma/rule-collection.ts'
import type { CollectedDocument } from './sigma/rule-collection.ts'
import type { Detection, DetectionRule, RuleAttributes } from './sigma/rule.ts'
import { SharedValueTests } from './sigma/shared-value-tests.ts'
import { LineIndex, findAttributePath, readYaml } from './sigma/yaml-document.ts'
import type { YamlMap, YamlNode } from './sigma/yaml-document.ts'

/** A text that holds rules: YAML, one document or several. `path` is only used to say where a rule is from. */
export type RuleSource = { readonly path?: string; readonly text: string }

export type CompileOptions = {
  /** The values that placeholders such as `%Administrators%` stand for; a rule that needs a missing set is reported. */
  readonly placeholders?: PlaceholderSets
  /** Makes errors of what the 2.2 draft forbids and 2.1 allows (sigma.md 6.8); off by default. */
  readonly strict?: boolean
  /**
   * Lets field names select elements of lists (`connections[any].ip`, SEP #212), in every rule; off by default,
   * because names may hold brackets. A rule switches it on for itself with `sigma-version: 3`.
   */
  readonly arraySyntax?: boolean
  /** A rule set whose rules may be named by correlations besides those that are compiled: what an edit of one is tried on. */
  readonly among?: RuleSet
  /**
   * Told what each detection rule states that compiles. A compiled rule reads that again when it is asked; whoever
   * needs it of all of them keeps it from here instead, which saves half the time of compiling.
   */
  readonly onRule?: (id: string, rule: DetectionRule) => void
}

/** The rules that run, and what became of each rule that was given, in the order they were given. */
export type Compilation = { readonly ruleSet: RuleSet; readonly reports: readonly RuleReport[] }

/**
 * Compiles rule texts. Never throws on a bad rule: each one gets a report with its verdict and all its
 * problems, and those that did not compile are left out of the rule set. Of several rules with one id or
 * name the first one is kept (D-52).
 */
export function compileRules(sources: Iterable<RuleSource>, options: CompileOptions = {}): Compilation {
  const compiler = new RuleSetCompiler(options)
  for (const source of sources) compiler.add(source)
  return compiler.finish()
}

/** Where a document is from: the path of its source, and its text where it is the only one there. */
type Origin = { readonly path: string; readonly ruleText: string | undefined }

/** What a report says before the verdict is known. */
type ReportHead = Pick<RuleReport, 'path' | 'id' | 'title' | 'kind'> & { readonly logsource?: Logsource }

/** A detection rule that compiled, before filters narrow it. */
type RuleDraft = {
  readonly head: RuleHead
  readonly makeRule: (head: RuleHead) => CompiledRule
  /** What filters know it by, where that is another rule: the one whose events it finds. */
  readonly filteredAs?: FilterableRule
}

class RuleSetCompiler {
  readonly #options: CompileOptions & { readonly placeholders: PlaceholderSets; readonly strict: boolean; readonly arraySyntax: boolean }
  readonly #reports: { readonly head: ReportHead; readonly collector: DiagnosticCollector }[] = []
  readonly #drafts: RuleDraft[] = []
  readonly #correlations: CorrelationDraft[] = []
  readonly #filters: { readonly filter: CompiledFilter; readonly rule: FilterRule; readonly collector: DiagnosticCollector }[] = []
  /** The paths of the rules that took each id and name. */
  readonly #ids = new Map<string, string>()
  readonly #names = new Map<string, string>()
  /** What rules share, as long as they are compiled. */
  readonly #logsources = new Map<string, Logsource>()
  readonly #tests = new SharedValueTests()

  constructor({ placeholders = {}, strict = false, arraySyntax = false, ...rest }: CompileOptions) {
    this.#options = { ...rest, placeholders, strict, arraySyntax }
  }

  add({ path = '', text }: RuleSource): void {
    const lines = new LineIndex(text)
    const collectorFor = (node?: YamlNode) =>
      new DiagnosticCollector((offset) => {
        return { ...lines.position(offset), attribute: node === undefined ? '' : findAttributePath(node, offset) }
      })
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
      collector.error({ code: 'NOT_A_RULE', message: 'the text holds no document', offset: 0 })
      this.#report({ path, id: hashToUuid(text), title: '', kind: 'not-a-rule' }, collector)
    }
    // One of several documents may be made of more than its own text, so its attributes are kept as they are.
    const ruleText = documents.length === 1 ? text : undefined
    for (const document of collected) this.#addDocument({ path, ruleText }, document, collectorFor(document.node))
  }

  /** Joins what was added: filters to the rules they tune, correlations to those they name. */
  finish(): Compilation {
    const rules = this.#drafts.map((draft) => draft.makeRule(this.#applyFilters(draft)))
    for (const added of this.#filters) this.#reportDangling(added)
    const correlations = compileCorrelations(this.#correlations, this.#collectReferences())
    const filters = this.#filters.map(({ filter }) => filter)
    const reports = this.#reports.map(({ head, collector }) => {
      return { ...head, verdict: collector.verdict, diagnostics: collector.diagnostics }
    })
    return { ruleSet: new RuleSet(rules, { correlations, filters }), reports }
  }

  #addDocument({ path, ruleText }: Origin, document: CollectedDocument, collector: DiagnosticCollector): void {
    const { kind, node } = document
    const head = { path, id: getRuleId(node), title: readAttributeText(node, 'title'), kind }
    reportAction(document, collector)
    if (node.kind !== 'map') {
      collector.error({ code: 'NOT_A_RULE', message: `the document is a ${node.kind}, not a map`, offset: node.offset })
      this.#report(head, collector)
    } else if (kind === 'correlation') this.#addCorrelation(head, node, collector)
    else if (kind === 'filter') this.#addFilter(head, node, collector)
    else this.#addDetection(head, { node, ruleText }, collector)
  }

  #addDetection(
    head: ReportHead, { node, ruleText }: { node: YamlMap; ruleText: string | undefined }, collector: DiagnosticCollector,
  ): void {
    const aggregation = translateAggregation(node, nameBaseRule(head.id))
    if (aggregation !== undefined) return this.#addAggregation(head, node, aggregation, collector)
    const rule = parseDetectionRule(node, collector, this.#options)
    if (rule === undefined) return this.#report(head, collector)
    const predicate = this.#lower(rule.detection, collector)
    const logsource = this.#internLogsource(rule.logsource)
    this.#report({ ...head, logsource }, collector)
    if (!this.#claimIdentity(head, rule, node, collector)) return
    const { path, id, title } = head
    const { arraySyntax } = this.#options
    const makeRule = (ruleHead: RuleHead): CompiledRule =>
      ruleText === undefined ? { ...ruleHead, rule } : new LazyRule(ruleHead, { text: ruleText, arraySyntax })
    this.#drafts.push({ head: { id, name: rule.name, title, level: rule.level, logsource, path, predicate }, makeRule })
    this.#options.onRule?.(id, rule)
  }

  /** Adds a rule with an aggregation as a correlation, which is known by its id, and a silent rule that finds the events. */
  #addAggregation(head: ReportHead, node: YamlMap, translated: TranslatedAggregation, collector: DiagnosticCollector): void {
    const { base, correlation: section, offset, equivalent } = translated
    const message = 'the aggregation runs as a correlation rule'
    collector.lint({ code: 'TRANSLATED_AGGREGATION', message, offset, hint: `write it as one: ${equivalent}` })
    const rule = parseDetectionRule(base, collector, this.#options)
    const correlation = parseCorrelationRule(section, collector)
    if (rule === undefined || correlation === undefined) return this.#report({ ...head, kind: 'correlation' }, collector)
    const predicate = this.#lower(rule.detection, collector)
    const logsource = this.#internLogsource(rule.logsource)
    this.#report({ ...head, kind: 'correlation', logsource }, collector)
    if (!this.#claimIdentity(head, correlation, node, collector)) return
    const { path, id, title } = head
    const baseHead = {
      id: hashToUuid(nameBaseRule(id)), name: nameBaseRule(id), title: `${title} (events)`, level: undefined, logsource, path, predicate,
    }
    const filteredAs = { id, name: correlation.name, logsource }
    this.#drafts.push({ head: baseHead, makeRule: (ruleHead) => ({ ...ruleHead, rule }), filteredAs })
    this.#correlations.push({ id, path, rule: correlation, collector })
  }

  #addCorrelation(head: ReportHead, node: YamlMap, collector: DiagnosticCollector): void {
    this.#report(head, collector)
    const rule = parseCorrelationRule(node, collector)
    if (rule === undefined || !this.#claimIdentity(head, rule, node, collector)) return
    this.#correlations.push({ id: head.id, path: head.path, rule, collector })
  }

  #addFilter(head: ReportHead, node: YamlMap, collector: DiagnosticCollector): void {
    const rule = parseFilterRule(node, collector, this.#options)
    this.#report(rule === undefined ? head : { ...head, logsource: this.#internLogsource(rule.logsource) }, collector)
    if (rule === undefined) return
    const predicate = this.#lower(rule.detection, collector)
    if (!this.#claimIdentity(head, rule, node, collector)) return
    const { path, id, title } = head
    const ruleNames = rule.targets && new Set(rule.targets.flatMap(({ name }) => [name, name.toLowerCase()]))
    this.#filters.push({ filter: { kind: 'filter', id, title, path, logsource: rule.logsource, ruleNames, predicate }, rule, collector })
  }

  #lower(detection: Detection, collector: DiagnosticCollector): Predicate {
    const { placeholders, strict } = this.#options
    return lowerDetection(detection, { placeholders, isStrict: strict, tests: this.#tests }, collector)
  }

  #applyFilters({ head, filteredAs = head }: RuleDraft): RuleHead {
    const filters = this.#filters.map(({ filter }) => filter).filter((filter) => appliesToRule(filteredAs, filter))
    return filters.length === 0 ? head : { ...head, predicate: applyFilters(head.predicate, filters) }
  }

  /** Reports the references of a filter that lead to no rule it can narrow: it would silently do nothing there. */
  #reportDangling({ filter, rule, collector }: { filter: CompiledFilter; rule: FilterRule; collector: DiagnosticCollector }): void {
    for (const { name, offset } of rule.targets ?? []) {
      const ruleNames = new Set([name, name.toLowerCase()])
      const named = this.#drafts.filter(({ head, filteredAs = head }) => namesRule(filteredAs, { ...filter, ruleNames }))
      const code = 'DANGLING_REFERENCE'
      if (named.length === 0) {
        const hint = suggestName(name, this.#drafts.map(({ head }) => head.name).filter((other) => other !== undefined))
        collector.lint({ code, message: `no detection rule that runs has the id or name '${name}'`, offset, hint })
      } else if (!named.some(({ head }) => logsourceContains(filter.logsource, head.logsource))) {
        const message = `the rule '${name}' is of another logsource than the filter, which does not apply to it`
        collector.lint({ code, message, offset })
      }
    }
  }

  /** The detection rules that correlations may name. */
  #collectReferences(): RuleReferences {
    if (this.#correlations.length === 0) return { findId: () => undefined, listNames: () => [] }
    const { among } = this.#options
    const ids = new Set<string>()
    const named = new Map<string, string>()
    const correlations = among?.correlations.map(({ id, rule }) => ({ id, name: rule.name })) ?? []
    for (const { id, name } of [...(among?.rules ?? []), ...correlations, ...this.#drafts.map(({ head }) => head)]) {
      ids.add(id)
      if (name !== undefined) named.set(name, id)
    }
    // The case of an id means nothing, that of a name does.
    const idOf = (name: string): string | undefined => named.get(name) ?? (ids.has(name.toLowerCase()) ? name.toLowerCase() : undefined)
    return { findId: idOf, listNames: () => [...named.keys(), ...ids] }
  }

  /** A rule's logsource without its definition; rules with the same one share it. */
  #internLogsource({ category, product, service }: Logsource): Logsource {
    const logsource = { ...(category && { category }), ...(product && { product }), ...(service && { service }) }
    const key = JSON.stringify(logsource)
    const known = this.#logsources.get(key) ?? logsource
    this.#logsources.set(key, known)
    return known
  }

  #report(head: ReportHead, collector: DiagnosticCollector): void {
    this.#reports.push({ head, collector })
  }

  /**
   * Takes a rule's id and name, or reports that another rule has them, and says whether the rule runs. A rule
   * that is invalid anyway keeps no other from its id.
   */
  #claimIdentity({ path, id }: ReportHead, { name }: RuleAttributes, { offset }: YamlMap, collector: DiagnosticCollector): boolean {
    if (collector.verdict === 'invalid') return false
    const idOwner = claimKey(this.#ids, id, path)
    if (idOwner !== undefined) {
      collector.error({ code: 'DUPLICATE_ID', message: `the id ${id} is taken by ${describeRule(idOwner)}`, offset })
    }
    const nameOwner = name === undefined ? undefined : claimKey(this.#names, name, path)
    if (nameOwner !== undefined) {
      collector.error({ code: 'DUPLICATE_NAME', message: `the name '${name}' is taken by ${describeRule(nameOwner)}`, offset })
    }
    return collector.verdict === 'compiled'
  }
}

/** The name of the rule that finds the events of a rule with an aggregation. */
function nameBaseRule(id: string): string {
  return `${id} events`
}

/** Takes an id or a name for the rule of this path; where it was taken before, the path of the rule that has it. */
function claimKey(owners: Map<string, string>, key: string, path: string): string | undefined {
  const owner = owners.get(key)
  if (owner === undefined) owners.set(key, path)
  return owner
}

function describeRule(path: string): string {
  return path === '' ? 'another rule' : `another rule, in ${path}`
}

function reportAction({ action }: CollectedDocument, collector: DiagnosticCollector): void {
  if (action === undefined) return
  const { name, offset, problem } = action
  if (problem === 'deprecated') {
    collector.lint({ code: 'DEPRECATED_ACTION', message: `the action '${name}' is deprecated`, offset, hint: 'write the rule out' })
  } else if (problem === 'unknown') {
    collector.error({ code: 'UNKNOWN_ACTION', message: `the action '${name}' is not global, reset or repeat`, offset })
  } else collector.error({ code: 'UNKNOWN_ACTION', message: `the action '${name}' has no rule before it`, offset })
}
