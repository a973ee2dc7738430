import { compileRules } from '@tripline/engine'
import type { Predicate, ValueTest } from '@tripline/engine/predicate'
import { normalizePattern } from '@tripline/engine/predicate'
import { findEntry, readYaml } from '@tripline/engine/yaml'
import { printNode } from '../document/print-node.ts'
import { pickCompileOptions } from './lint-options.ts'
import type { LintOptions } from './lint-options.ts'

/**
 * Whether the rules of two texts have the same verdicts and match the same events. Compares normalized predicates,
 * so names, order and repetitions do not count; rules that do not compile must have the same detections.
 */
export function areEquivalentRules(first: string, second: string, options: LintOptions): boolean {
  return normalizeRules(first, options) === normalizeRules(second, options)
}

function normalizeRules(text: string, options: LintOptions): string {
  const { ruleSet, reports } = compileRules([{ text }], pickCompileOptions(options))
  const isWhole = reports.every(({ verdict }) => verdict === 'compiled')
  const detections = isWhole ? [] : printDetections(text)
  const rules = ruleSet.rules.map(({ predicate, logsource, level }) => [printPredicate(predicate), logsource, level])
  return JSON.stringify([reports.map(({ verdict }) => verdict), rules, detections])
}

/** Prints the detections of a text, for rules that have no predicate to compare. */
function printDetections(text: string): readonly string[] {
  return (readYaml(text).documents ?? []).flatMap((node) => {
    const detection = node.kind === 'map' ? findEntry(node, 'detection')?.value : undefined
    return detection === undefined ? [] : printNode(detection)
  })
}

/** Prints a predicate in normal form: predicates with equal texts match the same events. */
function printPredicate(predicate: Predicate): string {
  switch (predicate.kind) {
    case 'group':
      return printPredicate(predicate.of)
    case 'constant':
      return String(predicate.value)
    case 'not':
      return predicate.of.kind === 'not' ? printPredicate(predicate.of.of) : negatePrinted(printPredicate(predicate.of))
    case 'elements':
      return `${predicate.field}[${predicate.quantifier}](${printPredicate(predicate.of)})`
    case 'test':
      return JSON.stringify([predicate.field, normalizeTest(predicate.value)])
    case 'and':
    case 'or':
      return printList(predicate.kind, predicate.of)
  }
}

/** Prints a negation; a double negation cancels out, also across groups. */
function negatePrinted(printed: string): string {
  return printed.startsWith('not(') && printed.endsWith(')') ? printed.slice('not('.length, -1) : `not(${printed})`
}

function printList(kind: 'and' | 'or', of: readonly Predicate[]): string {
  const parts = [...new Set(of.flatMap((part) => flattenList(kind, part)))].sort()
  return parts.length === 1 ? parts[0]! : `${kind}(${parts.join(' ')})`
}

/** Flattens nested lists of the same kind. */
function flattenList(kind: 'and' | 'or', predicate: Predicate): string[] {
  if (predicate.kind === 'group') return flattenList(kind, predicate.of)
  return predicate.kind === kind ? predicate.of.flatMap((part) => flattenList(kind, part)) : [printPredicate(predicate)]
}

/** Removes what does not change a test: ignored case, and where it is stated. */
function normalizeTest(test: ValueTest): unknown {
  if (test.kind === 'cidr') return [test.kind, test.text]
  if (test.kind === 'regex') {
    const isInline = test.source.startsWith('(?i)')
    const source = isInline ? test.source.slice('(?i)'.length) : test.source
    return { ...test, source, ignoresCase: test.ignoresCase || isInline }
  }
  if (test.kind !== 'text') return test
  const pattern = JSON.stringify(normalizePattern(test.pattern))
  const hasCase = test.pattern.some((part) => part.kind === 'text' && part.text.toLowerCase() !== part.text.toUpperCase())
  return [test.kind, test.isCased && hasCase, test.isCased ? pattern : pattern.toLowerCase()]
}
