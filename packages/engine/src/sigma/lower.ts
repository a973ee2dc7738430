import type { DiagnosticCollector } from '../diagnostics.ts'
import { elementFieldName } from '../event/element-events.ts'
import { limits } from '../limits.ts'
import { anyRun } from '../predicate/pattern.ts'
import type { Pattern } from '../predicate/pattern.ts'
import type { Predicate, Test, ValueTest } from '../predicate/predicate.ts'
import { workUnits } from '../compile/work-budget.ts'
import type { WorkBudget } from '../compile/work-budget.ts'
import { listSelectionNames } from './condition.ts'
import type { Condition } from './condition.ts'
import type { DraftPart, DraftValue } from './draft-value.ts'
import { toExactNumber } from './draft-value.ts'
import { checkOptionalFields } from './lint-item.ts'
import { modifyItem } from './modify-item.ts'
import type { ModifiedValue, ModifyOptions } from './modify-item.ts'
import type { Detection, DetectionItem, Selection, SelectionBody } from './rule.ts'
import type { SharedItem, SharedValueTests } from './shared-value-tests.ts'

/** Options of lowering, and the tests that the rules of a compilation share. */
type LowerOptions = ModifyOptions & { readonly tests: SharedValueTests }

/**
 * Lowers the detection of a rule or a filter to a predicate: the last compiler pass that knows Sigma. Several
 * conditions become alternatives named `condition 1` and so on, so that an explanation shows which one matched.
 * Reports problems of values and modifiers to the collector.
 */
export function lowerDetection(detection: Detection, options: LowerOptions, collector: DiagnosticCollector): Predicate {
  const selections = lowerSelections(detection, options, collector)
  if (isTooLarge(detection, selections, { budget: options.budget, collector })) return { kind: 'constant', value: false }
  const conditions = detection.conditions.map(({ tree }) => lowerCondition(tree, selections))
  if (conditions.length === 1) return conditions[0]!
  return { kind: 'or', of: conditions.map((of, i) => ({ kind: 'group', name: `condition ${i + 1}`, of })) }
}

function lowerSelections(detection: Detection, options: LowerOptions, collector: DiagnosticCollector): Map<string, Predicate> {
  const selections = new Map<string, Predicate>()
  for (const selection of detection.selections.values()) {
    selections.set(selection.name, lowerSelection(selection, options, collector))
  }
  return selections
}

/** Whether the conditions expand to too many tests, counted before they are built. */
function isTooLarge(
  detection: Detection,
  selections: ReadonlyMap<string, Predicate>,
  { budget, collector }: { readonly budget: WorkBudget | undefined; readonly collector: DiagnosticCollector },
): boolean {
  const sizes = new Map(Array.from(selections, ([name, predicate]) => [name, countTests(predicate)]))
  for (const { tree, offset } of detection.conditions) {
    let size = 0
    for (const name of listSelectionNames(tree)) size += sizes.get(name) ?? 0
    if (budget?.spend(size * workUnits.comparison) === false) return true
    if (size <= limits.ruleTestsMax) continue
    const message = `the condition expands to ${size} comparisons; the limit is ${limits.ruleTestsMax}`
    collector.error({ code: 'LIMIT_EXCEEDED', message, offset })
    return true
  }
  return false
}

function countTests(predicate: Predicate): number {
  if (predicate.kind === 'test' || predicate.kind === 'constant') return 1
  if (predicate.kind === 'not' || predicate.kind === 'group' || predicate.kind === 'elements') return countTests(predicate.of)
  return predicate.of.reduce((sum, part) => sum + countTests(part), 0)
}

function lowerCondition(condition: Condition, selections: ReadonlyMap<string, Predicate>): Predicate {
  switch (condition.kind) {
    case 'and':
    case 'or':
      return { kind: condition.kind, of: condition.of.map((part) => lowerCondition(part, selections)) }
    case 'not':
      return { kind: 'not', of: lowerCondition(condition.of, selections) }
    case 'selection':
      return getSelection(condition.name, selections)
    case 'quantifier':
      return join(condition.isAll ? 'and' : 'or', condition.names.map((name) => getSelection(name, selections)))
  }
}

function getSelection(name: string, selections: ReadonlyMap<string, Predicate>): Predicate {
  const selection = selections.get(name)
  if (selection === undefined) throw new Error(`the selection '${name}' does not exist, although the parser found it`)
  return selection
}

function lowerSelection(selection: Selection, options: LowerOptions, collector: DiagnosticCollector): Predicate {
  return { kind: 'group', name: selection.name, of: lowerBody(selection.body, { ...options, path: '' }, collector) }
}

/** `path` is the prefix of field names: the lists whose elements they belong to. */
type BodyOptions = LowerOptions & { readonly path: string }

function lowerBody(body: SelectionBody, options: BodyOptions, collector: DiagnosticCollector): Predicate {
  if (body.kind === 'item') return lowerItem(body, options, collector)
  if (body.kind === 'elements') {
    const { field, quantifier } = body.step
    const path = `${options.path}${field}[${quantifier}].`
    return { kind: 'elements', field, quantifier, of: lowerBody(body.of, { ...options, path }, collector) }
  }
  if (body.kind === 'nested') return lowerNested(body.detection, options, collector)
  if (body.kind === 'all') checkOptionalFields(body.of, collector)
  return join(body.kind === 'all' ? 'and' : 'or', body.of.map((part) => lowerBody(part, options, collector)))
}

/** Lowers the detection of a list element; explanations do not show the names of its selections. */
function lowerNested(detection: Detection, options: BodyOptions, collector: DiagnosticCollector): Predicate {
  const bodies = new Map<string, Predicate>()
  for (const { name, body } of detection.selections.values()) bodies.set(name, lowerBody(body, options, collector))
  if (isTooLarge(detection, bodies, { budget: options.budget, collector })) return { kind: 'constant', value: false }
  return join('or', detection.conditions.map(({ tree }) => lowerCondition(tree, bodies)))
}

function lowerItem(item: DetectionItem, options: BodyOptions, collector: DiagnosticCollector): Predicate {
  const values = modifyItem(item, options, collector)
  const shared = options.tests.getItem(item, options.path, printFieldPath(item.field, options.path))
  const tests = values.map((value) => lowerValue(value, item, shared))
  const joined = join(item.modifiers.includes('all') ? 'and' : 'or', tests)
  return item.modifiers.includes('neq') ? negate(joined) : joined
}

/** Lowers a value of an item, or returns the shared test of an equal value. */
function lowerValue(value: ModifiedValue, item: DetectionItem, shared: SharedItem): Predicate {
  // Values of other types may have equal texts but differ.
  if (typeof value.source.value !== 'string') return lowerDraft(value.draft, value, { item, shared })
  const known = shared.tests.get(value.source.value)
  if (known !== undefined) return known
  const lowered = lowerDraft(value.draft, value, { item, shared })
  shared.tests.set(value.source.value, lowered)
  return lowered
}

function lowerDraft(draft: DraftValue, value: ModifiedValue, place: { item: DetectionItem; shared: SharedItem }): Predicate {
  if (draft.kind === 'any') return join('or', draft.of.map((alternative) => lowerDraft(alternative, value, place)))
  const { item, shared } = place
  const { field, written } = shared
  const { text } = value.source
  const test = field === undefined ? toKeywordTest(draft, item) : toFieldTest(draft)
  const writtenValue = field === undefined ? toSearchedText(text, draft) : text || (draft.kind === 'null' ? 'null' : '')
  return { kind: 'test', field, value: test, written, writtenValue } satisfies Test
}

/** Prints a field with the lists before it; the element itself prints as its list. */
function printFieldPath(field: string | undefined, path: string): string {
  return field === elementFieldName && path !== '' ? path.slice(0, -1) : path + (field ?? '')
}

function toFieldTest(draft: Exclude<DraftValue, { kind: 'any' }>): ValueTest {
  if (draft.kind === 'text') return { kind: 'text', pattern: draft.parts.map(toPatternPart), isCased: draft.isCased }
  if (draft.kind !== 'number') return draft
  return { kind: 'number', ...toExactNumber(draft) }
}

/** Builds the test of a keyword, which matches anywhere in a leaf value unless a modifier anchors it. */
function toKeywordTest(draft: Exclude<DraftValue, { kind: 'any' }>, item: DetectionItem): ValueTest {
  if (draft.kind === 'number' || draft.kind === 'boolean') {
    const text = draft.kind === 'number' ? draft.text : String(draft.value)
    return { kind: 'text', pattern: [anyRun, { kind: 'text', text }, anyRun], isCased: false }
  }
  const test = toFieldTest(draft)
  const isAnchored = item.modifiers.includes('startswith') || item.modifiers.includes('endswith')
  if (test.kind !== 'text' || isAnchored) return test
  return { ...test, pattern: [anyRun, ...test.pattern, anyRun] satisfies Pattern }
}

/** Prints a keyword as a pattern: `*mimikatz*`. */
function toSearchedText(source: string, draft: DraftValue): string {
  if (draft.kind === 'regex' || draft.kind === 'cidr') return source
  return `${source.startsWith('*') ? '' : '*'}${source}${source.endsWith('*') ? '' : '*'}`
}

function toPatternPart(part: DraftPart): Pattern[number] {
  if (part.kind !== 'placeholder') return part
  throw new Error(`the placeholder '%${part.name}%' was neither expanded nor reported`)
}

function join(kind: 'and' | 'or', of: readonly Predicate[]): Predicate {
  return of.length === 1 ? of[0]! : { kind, of }
}

/** Moves the negation of `neq` down to the tests by De Morgan, so that explanations show each of them. */
function negate(predicate: Predicate): Predicate {
  switch (predicate.kind) {
    case 'and':
      return { kind: 'or', of: predicate.of.map(negate) }
    case 'or':
      return { kind: 'and', of: predicate.of.map(negate) }
    case 'not':
      return predicate.of
    case 'constant':
      return { kind: 'constant', value: !predicate.value }
    case 'group':
    case 'elements':
    case 'test':
      return { kind: 'not', of: predicate }
  }
}
