import { RuleView } from '../compiled-rule.ts'
import type { RuleHead } from '../compiled-rule.ts'
import { DiagnosticCollector } from '../diagnostics.ts'
import { parseDetectionRule } from '../sigma/parse-rule.ts'
import type { DetectionRule } from '../sigma/rule.ts'
import { readYaml } from '../sigma/yaml-document.ts'

/** The text of a single rule and the option to parse it again. */
type RuleSourceText = { readonly text: string; readonly arraySyntax: boolean }

/**
 * A compiled rule that stores its text and parses its attributes on demand: parsed attributes take twice the memory,
 * and matching never reads them. A weak reference caches them, so two reads may return two equal objects.
 */
export class LazyRule extends RuleView {
  readonly #text: string
  readonly #arraySyntax: boolean
  #parsed: WeakRef<DetectionRule> | undefined

  constructor(head: RuleHead, { text, arraySyntax }: RuleSourceText) {
    super(head)
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
