import type { Compilation, CompileOptions } from '../src/index.ts'
import { compileRules } from '../src/index.ts'
import type { RuleObject } from './reference/reference.ts'

/** Compiles rules from objects, each as its own text; the nth gets the id `ruleId(n)`. */
export function compileObjects(rules: readonly RuleObject[], options: CompileOptions = {}): Compilation {
  const sources = rules.map((rule, at) => ({
    path: `${at}.yml`,
    text: JSON.stringify({ title: 'A rule of a test', id: ruleId(at), logsource: { category: 'test' }, ...rule }),
  }))
  return compileRules(sources, options)
}

export function ruleId(at: number): string {
  return `00000000-0000-4000-8000-${String(at).padStart(12, '0')}`
}
