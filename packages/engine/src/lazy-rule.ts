import { DiagnosticCollector } from './diagnostics.ts'
import type { Logsource } from './event/event.ts'
import type { Predicate } from './predicate/predicate.ts'
import type { CompiledRule } from './rule-set.ts'
import { parseDetectionRule } from './sigma/parse-rule.ts'
import type { DetectionRule, Level } from './sigma/rule.ts'
import { readYaml } from './sigma/yaml-document.ts'

/** Where a rule's attributes are read again: the text of this one rule, and how it was read. */
export type RuleSourceText = { readonly text: string; readonly arraySyntax: boolean }

/** What a compiled rule says of itself at once. */
export type RuleHead = Omit<CompiledRule, 'rule'>

/**
 * A compiled rule that keeps its text instead of its attributes: typed, they take twice the room, and matching
 * never asks for them. They are read when asked for and forgotten when memory is short, so that asking twice
 * may give two equal objects.
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

/** Reads a text that was read as one rule before; its problems were reported then. */
function parseRuleText(text: string, arraySyntax: boolean): DetectionRule {
  const [node] = readYaml(text).documents ?? []
  const unheard = new DiagnosticCollector(() => ({ line: 1, column: 1, attribute: '' }))
  const rule = node?.kind === 'map' ? parseDetectionRule(node, unheard, { arraySyntax }) : undefined
  if (rule === undefined) throw new Error('a text that was compiled to a rule holds none')
  return rule
}
