import { DiagnosticCollector } from './diagnostics.ts'
import type { Logsource } from './event/event.ts'
import type { Predicate } from './predicate/predicate.ts'
import type { CompiledRule } from './rule-set.ts'
import { parseDetectionRule } from './sigma/parse-rule.ts'
import type { DetectionRule, Level } from './sigma/rule.ts'
import { readYaml } from './sigma/yaml-document.ts'

/** The text of a single rule and the option to parse it again. */
type RuleSourceText = { readonly text: string; readonly arraySyntax: boolean }

/** A compiled rule without its attributes. */
export type RuleHead = Omit<CompiledRule, 'rule'>

/**
 * A compiled rule that stores its text and parses its attributes on demand: parsed attributes take twice the memory,
 * and matching never reads them. A weak reference caches them, so two reads may return two equal objects.
 */
export class LazyRule implements CompiledRule {
  readonly id: string
  readonly name: string | undefined
  readonly title: string
  readonly level: Level | undefined
  readonly logsource: Logsource
  readonly path: string
  readonly predicate: Predicate
  readonly #text: string
  readonly #arraySyntax: boolean
  #parsed: WeakRef<DetectionRule> | undefined

  constructor({ id, name, title, level, logsource, path, predicate }: RuleHead, { text, arraySyntax }: RuleSourceText) {
    this.id = id
    this.name = name
    this.title = title
    this.level = level
    this.logsource = logsource
    this.path = path
    this.predicate = predicate
    this.#text = text
    this.#arraySyntax = arraySyntax
  }

  get rule(): DetectionRule {
    const known = this.#parsed?.deref()
    if (known !== undefined) return known
    const rule = parseRuleText(this.#text, this.#arraySyntax)
    this.#parsed = new WeakRef(rule)
    return rule
  }
}

/** Parses the text of a compiled rule again; its problems are already reported. */
function parseRuleText(text: string, arraySyntax: boolean): DetectionRule {
  const [node] = readYaml(text).documents ?? []
  const ignored = new DiagnosticCollector(() => ({ line: 1, column: 1, attribute: '' }))
  const rule = node?.kind === 'map' ? parseDetectionRule(node, ignored, { arraySyntax }) : undefined
  if (rule === undefined) throw new Error('the text of a compiled rule has no rule')
  return rule
}
