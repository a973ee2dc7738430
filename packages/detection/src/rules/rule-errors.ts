import { AppError } from '@tripline/contract/app-error'
import type { Diagnostic, RuleReport } from '@tripline/engine'
import { LineIndex, findEntry, readYaml } from '@tripline/engine/yaml'
import type { YamlNode } from '@tripline/engine/yaml'

/** A problem of a rule as the API reports it. */
export type RuleProblem = {
  /** The attribute, with dots: `detection.condition`. */
  readonly path: string
  readonly code?: string
  readonly message?: string
  /** In the definition, from 1; undefined for a problem of a separate field. */
  readonly line?: number
  readonly column?: number
  readonly hint?: string | undefined
}

/** Creates the error for a rule that does not compile, with all its problems. */
export function createInvalidRuleError({ diagnostics, verdict }: RuleReport): AppError {
  const problems = diagnostics.filter(({ kind }) => kind !== 'lint')
  return createRuleError(problems[0]?.message ?? `the definition is ${verdict}`, problems.map(toRuleProblem))
}

/** Converts a diagnostic to the problem that the API reports. */
export function toRuleProblem({ code, message, line, column, attribute: path, hint }: Diagnostic): RuleProblem {
  return { path, code, message, line, column, hint }
}

/** Creates the error for a rule that the server rejects for its own reasons. */
export function createRuleError(message: string, errors: readonly RuleProblem[] = []): AppError {
  return new AppError('INVALID_RULE', message, { errors })
}

/** Creates the error for a fault at an attribute of a definition, with its line and column. */
export function createDefinitionError(
  message: string, definition: string, { path = '', ...problem }: Partial<Pick<RuleProblem, 'path' | 'code' | 'hint'>> = {},
): AppError {
  return createRuleError(message, [{ path, message, ...findPosition(definition, path), ...problem }])
}

/** Creates the error for a text that is not valid YAML. */
export function createYamlError({ message, offset }: { readonly message: string; readonly offset: number }, text: string): AppError {
  return createRuleError(message, [{ path: '', code: 'YAML', message, ...new LineIndex(text).position(offset) }])
}

/** Creates the error for a definition that holds several rules where one is expected, at the second of them. */
export function createCountError(definition: string): AppError {
  const { documents = [] } = readYaml(definition)
  const message = `a definition must hold one rule; this one holds ${documents.length}`
  const position = new LineIndex(definition).position(documents[1]?.offset ?? 0)
  return createRuleError(message, [{ path: '', message, ...position }])
}

/** Creates the error for a definition that is a filter rule, which narrows others and cannot match anything itself. */
export function createFilterRuleError(definition: string): AppError {
  const message = 'a filter rule only narrows other rules: add its detection as an exception of each rule that it names'
  return createDefinitionError(message, definition, { path: 'filter' })
}

/** The position of an attribute's value in the first document of a definition, or else of its nearest parent. */
export function findPosition(definition: string, path: string): { readonly line: number; readonly column: number } {
  let node: YamlNode | undefined = readYaml(definition).documents?.[0]
  let offset = node?.offset ?? 0
  for (const key of path.split('.')) {
    node = node?.kind === 'map' ? findEntry(node, key)?.value : undefined
    offset = node?.offset ?? offset
  }
  return new LineIndex(definition).position(offset)
}
