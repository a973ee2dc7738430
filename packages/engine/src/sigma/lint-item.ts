import type { DiagnosticCollector } from '../diagnostics.ts'
import { listModifiers, modifiers } from './modifiers.ts'
import type { DetectionItem, SelectionBody } from './rule.ts'
import type { YamlScalar } from './yaml-document.ts'

/** Reports combinations of modifiers that the Sigma 2.2 draft forbids: errors in strict mode, else lint. */
export function checkModifierCombination(item: DetectionItem, isStrict: boolean, collector: DiagnosticCollector): void {
  for (const message of findCombinationProblems(item.modifiers)) {
    const problem = { code: 'MODIFIER_COMBINATION', message, offset: item.offset } as const
    if (isStrict) collector.error(problem)
    else collector.lint(problem)
  }
}

function* findCombinationProblems(names: readonly string[]): Generator<string> {
  const repeated = names.find((name, i) => names.indexOf(name) !== i)
  if (repeated !== undefined) yield `the modifier '${repeated}' is repeated`
  if (names.includes('all') && names.at(-1) !== 'all') yield "the modifier 'all' must come last"
  const values = names.filter((name) => !listModifiers.includes(name))
  if (values.includes('startswith') && values.includes('endswith')) {
    yield "'startswith' and 'endswith' together act as 'contains'"
  }
  const lonely = values.find((name) => findFamily(name) === 'alone')
  if (lonely !== undefined && values.length > 1 && !isTimeComparison(values)) yield `'${lonely}' cannot be combined with other modifiers`
  const firstBase64 = values.findIndex((name) => findFamily(name) === 'base64')
  if (firstBase64 !== -1) {
    const early = values.slice(0, firstBase64).find((name) => findFamily(name) === 'anchor')
    if (early !== undefined) yield `'${early}' must come after '${values[firstBase64]}'`
    const late = values.slice(firstBase64).find((name) => findFamily(name) === 'encoding')
    if (late !== undefined) yield `'${late}' must come before '${values[firstBase64]}'`
  }
}

function findFamily(name: string): string | undefined {
  return modifiers.get(name)?.family
}

/** Whether the modifiers compare a part of a time, such as `hour|gte`, an extension of Sigma. */
function isTimeComparison(names: readonly string[]): boolean {
  return names.length === 2 && /^(minute|hour|day|week|month|year)$/.test(names[0] ?? '') && /^[gl]te?$/.test(names[1] ?? '')
}

/** Reports each `neq` on a field that the map does not require with `exists: true`. */
export function checkOptionalFields(items: readonly SelectionBody[], collector: DiagnosticCollector): void {
  const named = items.filter((item) => item.kind === 'item')
  const required = new Set(named.filter(({ modifiers: names }) => names.includes('exists')).map(({ field }) => field))
  for (const { field, modifiers: names, offset } of named) {
    if (!names.includes('neq') || field === undefined || required.has(field)) continue
    const message = `'neq' also matches when '${field}' is absent`
    collector.lint({ code: 'NEQ_ON_OPTIONAL_FIELD', message, offset, hint: `add '${field}|exists: true' to require the field` })
  }
}

/** Reports values that are valid but probably not intended. */
export function checkValues(item: DetectionItem, collector: DiagnosticCollector): void {
  const { modifiers: names, values, offset } = item
  const isRaw = names.includes('re') || names.includes('cidr')
  const hasNull = values.some((value) => value.value === null)
  if (hasNull && item.field === undefined) {
    collector.lint({ code: 'MATCHES_NOTHING', message: 'the keyword null matches nothing', offset })
  } else if (hasNull && values.length > 1) {
    const message = 'the specification forbids null in a list of values; this engine treats it as one of the alternatives'
    collector.lint({ code: 'NULL_IN_LIST', message, offset })
  }
  if (names.includes('all') && values.length === 1) {
    collector.lint({ code: 'ALL_ON_ONE_VALUE', message: "'all' has no effect on a single value", offset })
  }
  if (names.includes('base64offset') && !names.includes('contains')) {
    const message = "'base64offset' without 'contains' compares whole values and almost never matches"
    collector.lint({ code: 'USELESS_MODIFIER', message, offset, hint: "add 'contains'" })
  }
  for (const value of values) checkText(value, names, isRaw, collector)
}

function checkText(value: YamlScalar, names: readonly string[], isRaw: boolean, collector: DiagnosticCollector): void {
  const { text, offset } = value
  if (value.isPlain && /^(yes|no|on|off|=|0\d+)$/i.test(text)) {
    const message = `a YAML 1.1 parser does not read '${text}' as ${typeof value.value === 'number' ? 'this number' : 'text'}`
    collector.lint({ code: 'YAML_1_1', message, offset, hint: 'quote it' })
  }
  if (typeof value.value !== 'string' || isRaw) return
  if (text === '' && names.includes('contains')) {
    collector.lint({ code: 'MATCHES_ANYTHING', message: "'contains' with an empty text matches whenever the field is present", offset })
  }
  if (/(^|[^\\])\\[*?]/.test(text) && /[^\\]\\[^*?\\]/.test(text)) {
    const message = `the backslash before the wildcard in '${text}' makes the wildcard literal`
    collector.lint({ code: 'ESCAPED_WILDCARD', message, offset, hint: String.raw`write '\\*' for a backslash and a wildcard` })
  }
  // An author who doubles every backslash means one each time.
  const runs = text.match(/\\+/g) ?? []
  if (/^\\\\[^\\*?]/.test(text) && runs.some((run) => run.length % 2 === 1)) {
    const message = `'${text}' begins with one backslash, because two backslashes stand for one`
    collector.lint({ code: 'LOST_BACKSLASH', message, offset, hint: String.raw`write '\\\\' for two` })
  }
}
