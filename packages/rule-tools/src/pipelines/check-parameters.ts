import { findPatternProblem } from './compile-pattern.ts'
import { PipelineError } from './pipeline.ts'

/** What is wrong with the value of a parameter, after its name; undefined where nothing is. */
type Check = (value: unknown) => string | undefined

const isPlainText = (value: unknown): boolean => ['string', 'number', 'boolean'].includes(typeof value)
const isTexts = (value: unknown): boolean => Array.isArray(value) && value.every(isPlainText)
const isMap = (value: unknown): boolean => typeof value === 'object' && value !== null && !Array.isArray(value)
const isText: Check = (value) => isPlainText(value) ? undefined : 'is no text'
const isList: Check = (value) => isTexts(value) ? undefined : 'is no list of texts'
const isTextOrList: Check = (value) => isPlainText(value) || isTexts(value) ? undefined : 'is neither a text nor a list of texts'
const isPattern: Check = (value) => isPlainText(value) ? findPatternProblem(String(value)) : 'is no text'

function isNames(value: unknown): string | undefined {
  if (!isMap(value)) return 'is no map'
  const wrong = Object.entries(value as object).find(([, names]) => isTextOrList(names) !== undefined)
  return wrong && `gives '${wrong[0]}' neither a text nor a list of texts`
}

const isConditions: Check = (value) => isMap(value) ? undefined : 'is no map of fields and values'

/** The parameters that a step or condition cannot do without, each with its check, by type. */
const required: { readonly [type: string]: { readonly [parameter: string]: Check } } = {
  field_name_mapping: { mapping: isNames },
  field_name_prefix_mapping: { mapping: isNames },
  field_name_prefix: { prefix: isText },
  field_name_suffix: { suffix: isText },
  add_condition: { conditions: isConditions },
  add_field: { field: isTextOrList },
  remove_field: { field: isTextOrList },
  set_field: { fields: isList },
  set_state: { key: isText },
  set_custom_attribute: { attribute: isText },
  replace_string: { regex: isPattern, replacement: isText },
  map_string: { mapping: isNames },
  rule_failure: { message: isText },
  detection_item_failure: { message: isText },
  match_string: { pattern: isPattern },
  include_fields: { fields: isList },
  exclude_fields: { fields: isList },
}

/**
 * Checks the parameters of a step or of a condition, so that nothing that a rule meets is found wrong only then.
 *
 * @throws PipelineError for the first that is wrong.
 */
export function checkParameters(type: string, parameters: { readonly [name: string]: unknown }, path: string): void {
  for (const [name, check] of Object.entries(Object.hasOwn(required, type) ? required[type]! : {})) {
    const has = parameters[name] !== undefined && parameters[name] !== null
    const problem = has ? check(parameters[name]) : 'is missing'
    if (problem !== undefined) throw new PipelineError(`'${name}' of ${path} ${problem}`, has ? `${path}.${name}` : path)
  }
  const { fields, mode } = parameters
  if (mode !== 're' || !Array.isArray(fields)) return
  for (const [i, pattern] of fields.entries()) {
    const problem = isPattern(pattern)
    if (problem !== undefined) throw new PipelineError(`'fields[${i}]' of ${path} ${problem}`, `${path}.fields[${i}]`)
  }
}
