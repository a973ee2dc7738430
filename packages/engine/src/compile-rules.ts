import { DiagnosticCollector } from './diagnostics.ts'
import type { RuleReport } from './diagnostics.ts'
import type { Logsource } from './event/event.ts'
import { uuidOf } from './hash.ts'
import { RuleSet } from './rule-set.ts'
import type { CompiledRule } from './rule-set.ts'
import { collectDocuments } from './sigma/collection.ts'
import type { CollectedDocument } from './sigma/collection.ts'
import { LineIndex, attributeAt, entryOf, readYaml } from './sigma/document.ts'
import type { YamlNode } from './sigma/document.ts'
import { lowerDetection } from './sigma/lower.ts'
import { parseDetectionRule } from './sigma/parse-rule.ts'
import type { DetectionRule } from './sigma/rule.ts'
import type { PlaceholderSets } from './sigma/placeholders.ts'
import { SharedTests } from './sigma/shared-tests.ts'
import { TextRule } from './text-rule.ts'

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
}

/** The rules that run, and what became of each rule that was given, in the order they were given. */
export type Compilation = { readonly ruleSet: RuleSet; readonly reports: readonly RuleReport[] }

/**
 * Compiles rule texts. Never throws on a bad rule: each one gets a report with its verdict and all its
 * problems, and those that did not compile are left out of the rule set. Of several rules with one id or
 * name the first one is kept (D-52).
 */
export function compileRules(sources: Iterable<RuleSource>, options: CompileOptions = {}): Compilation {
  const compiler = new Compiler(options)
  for (const source of sources) compiler.add(source)
  return { ruleSet: new RuleSet(compiler.rules), reports: compiler.reports }
}

/** Where a document is from: the path of its source, and its text where it is the only one there. */
type Origin = { readonly path: string; readonly ruleText: string | undefined }

class Compiler {
  readonly rules: CompiledRule[] = []
  readonly reports: RuleReport[] = []
  readonly #options: Required<CompileOptions>
  /** The paths of the rules that took each id and name. */
  readonly #ids = new Map<string, string>()
  readonly #names = new Map<string, string>()
  /** What rules share, as long as they are compiled. */
  readonly #logsources = new Map<string, Logsource>()
  readonly #tests = new SharedTests()

  constructor({ placeholders = {}, strict = false, arraySyntax = false }: CompileOptions) {
    this.#options = { placeholders, strict, arraySyntax }
  }

  add({ path = '', text }: RuleSource): void {
    const lines = new LineIndex(text)
    const collectorFor = (node?: YamlNode) =>
      new DiagnosticCollector((offset) => {
        return { ...lines.position(offset), attribute: node === undefined ? '' : attributeAt(node, offset) }
      })
    const { documents, problem } = readYaml(text)
    if (problem !== undefined) {
      const collector = collectorFor()
      collector.error({ code: 'YAML', message: problem.message, offset: problem.offset })
      this.#report(path, uuidOf(text), '', collector)
      return
    }
    const collected = collectDocuments(documents)
    if (documents.length === 0) {
      const collector = collectorFor()
      collector.error({ code: 'NOT_A_RULE', message: 'the text holds no document', offset: 0 })
      this.#report(path, uuidOf(text), '', collector)
    }
    // One of several documents may be made of more than its own text, so its attributes are kept as they are.
    const ruleText = documents.length === 1 ? text : undefined
    for (const document of collected) this.#addDocument({ path, ruleText }, document, collectorFor(document.node))
  }

  #addDocument({ path, ruleText }: Origin, document: CollectedDocument, collector: DiagnosticCollector): void {
    const { kind, node } = document
    const title = textOf(node, 'title')
    const id = textOf(node, 'id').toLowerCase() || uuidOf(printNode(node))
    reportAction(document, collector)
    if (kind === 'detection' && node.kind === 'map') {
      const rule = parseDetectionRule(node, collector, this.#options)
      if (rule !== undefined) {
        this.#addRule({ path, ruleText, id, title }, rule, node, collector)
        return
      }
    } else if (kind === 'correlation') {
      const message = 'correlation rules are read but not run by this version'
      collector.unsupported({ code: 'UNSUPPORTED_CORRELATION', message, offset: node.offset })
    } else if (kind === 'filter') {
      const message = 'filter rules are read but not applied by this version'
      collector.unsupported({ code: 'UNSUPPORTED_FILTER', message, offset: node.offset })
    } else {
      collector.error({ code: 'NOT_A_RULE', message: `the document is a ${node.kind}, not a map`, offset: node.offset })
    }
    this.#report(path, id, title, collector)
  }

  #addRule(origin: Origin & { id: string; title: string }, rule: DetectionRule, node: YamlNode, collector: DiagnosticCollector): void {
    const { path, ruleText, id, title } = origin
    const { placeholders, strict, arraySyntax } = this.#options
    const predicate = lowerDetection(rule, { placeholders, isStrict: strict, tests: this.#tests }, collector)
    // A rule that is invalid anyway keeps no other from its id.
    if (collector.verdict !== 'invalid') this.#claim(path, id, rule.name, node, collector)
    const logsource = this.#logsourceOf(rule.logsource)
    if (collector.verdict === 'compiled') {
      const head = { id, title, level: rule.level, logsource, path, predicate }
      this.rules.push(ruleText === undefined ? { ...head, rule } : new TextRule(head, { text: ruleText, arraySyntax }))
    }
    this.reports.push({ path, id, title, verdict: collector.verdict, diagnostics: collector.diagnostics, logsource })
  }

  /** A rule's logsource without its definition; rules with the same one share it. */
  #logsourceOf({ category, product, service }: Logsource): Logsource {
    const logsource = { ...(category && { category }), ...(product && { product }), ...(service && { service }) }
    const key = JSON.stringify(logsource)
    const known = this.#logsources.get(key) ?? logsource
    this.#logsources.set(key, known)
    return known
  }

  #report(path: string, id: string, title: string, collector: DiagnosticCollector): void {
    this.reports.push({ path, id, title, verdict: collector.verdict, diagnostics: collector.diagnostics })
  }

  /** Takes the rule's id and name, or reports that another rule has them. */
  #claim(path: string, id: string, name: string | undefined, node: YamlNode, collector: DiagnosticCollector): void {
    const { offset } = node
    const idOwner = takeKey(this.#ids, id, path)
    if (idOwner !== undefined) {
      collector.error({ code: 'DUPLICATE_ID', message: `the id ${id} is taken by ${otherRule(idOwner)}`, offset })
    }
    const nameOwner = name === undefined ? undefined : takeKey(this.#names, name, path)
    if (nameOwner !== undefined) {
      collector.error({ code: 'DUPLICATE_NAME', message: `the name '${name}' is taken by ${otherRule(nameOwner)}`, offset })
    }
  }
}

/** Takes an id or a name for the rule of this path; where it was taken before, the path of the rule that has it. */
function takeKey(owners: Map<string, string>, key: string, path: string): string | undefined {
  const owner = owners.get(key)
  if (owner === undefined) owners.set(key, path)
  return owner
}

function otherRule(path: string): string {
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

/** The text of an attribute as a report shows it, also where the rule is invalid. */
function textOf(node: YamlNode, name: string): string {
  const value = node.kind === 'map' ? entryOf(node, name)?.value : undefined
  return value?.kind === 'scalar' ? value.text : ''
}

/** A node's content without comments, order of lines kept: what a derived id is made from. */
function printNode(node: YamlNode): string {
  if (node.kind === 'scalar') return JSON.stringify(node.value)
  if (node.kind === 'list') return `[${node.items.map(printNode).join(',')}]`
  return `{${node.entries.map(({ key, value }) => `${JSON.stringify(key)}:${printNode(value)}`).join(',')}}`
}
