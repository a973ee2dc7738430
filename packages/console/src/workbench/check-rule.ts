import { RuleSet, compileRules, parseJson } from '@tripline/engine'
import type { EventObject, Explanation, RuleSource } from '@tripline/engine'
import { recognizeEvent } from '@tripline/engine/evaluate'
import { findEntry, readYaml } from '@tripline/engine/yaml'
import {
  createRuleTransform, findTriedRule, lintRules, parsePipeline, parseRuleTests, runRuleTests, tryRule,
} from '@tripline/rule-tools'
import type { LintFinding, RulePipeline } from '@tripline/rule-tools'

/** A text to check, and what it is compiled with. */
export type CheckRequest = {
  readonly text: string
  /** Filters of the installation and exceptions in force. */
  readonly filters: readonly RuleSource[]
  /** Texts of the rule pipelines that run, in their order. */
  readonly pipelines: readonly string[]
  /** The rules that the text refers to. */
  readonly rules: readonly RuleSource[]
  /** Events as JSON: one, an array, or one a line. */
  readonly events: string
  /** The event that is explained. */
  readonly shown: number
}

/** What a rule makes of one event. */
type EventResult = {
  readonly isMatch: boolean
  readonly conditions: readonly string[]
  readonly hint?: string
  /** Whether it matches only because it is tried as one of the rule's log source: nothing in it tells its own. */
  readonly isOfNoLogsource: boolean
}

/** What is known of a text: whether it runs, what is wrong with it, and what it makes of the events. */
export type RuleCheck = {
  readonly isCompiled: boolean
  readonly findings: readonly LintFinding[]
  readonly eventCount: number
  /** Why the events cannot be read. */
  readonly eventProblem: { readonly line: number; readonly message: string } | undefined
  /** One for each event; empty unless the text compiles and holds one rule. */
  readonly results: readonly EventResult[]
  /** Whether the rule is a correlation: it matches a stream of events, on the event that completes it. */
  readonly isCorrelation: boolean
  /** Of the shown event. */
  readonly explanation: Explanation | undefined
  /** The tests in the text. */
  readonly tests: readonly { readonly name: string; readonly line: number; readonly failure: string | undefined }[]
  /** Rules that the text refers to by name or id, for the server to send. */
  readonly refersTo: readonly string[]
  /** Names of the fields of the events, for completion. */
  readonly fields: readonly string[]
}

/** Events that are tried at once; the server has the same limit for a test. */
const eventsMax = 100
const fieldsMax = 500
/** A name that the checks of file names accept: the text has no file. */
const ownPath = 'edited_rule.yml'

/** Checks a rule as the server does when it is saved and tested. */
export function checkRule({ text, filters, pipelines, rules, events: eventText, shown }: CheckRequest): RuleCheck {
  const sources = [{ path: ownPath, text }, ...filters, ...rules.map((rule, i) => ({ ...rule, path: `rule ${i}` }))]
  const transform = pipelines.length > 0 && { transform: createRuleTransform(pipelines.map(readPipeline)) }
  const compiled = compileRules(sources, { ...transform })
  const reports = compiled.reports.filter(({ path }) => path === ownPath)
  const isCompiled = reports.length > 0 && reports.every(({ verdict }) => verdict === 'compiled')
  const findings = lintRules(sources, { ...transform }).find(({ path }) => path === ownPath)?.findings ?? []
  const read = readEvents(eventText)
  const events = 'events' in read ? read.events : []
  const others = new RuleSet(
    compiled.ruleSet.rules.filter(({ path }) => path !== ownPath),
    { correlations: compiled.ruleSet.correlations.filter(({ path }) => path !== ownPath) },
  )
  const tried = isCompiled ? findTriedRule(compiled.ruleSet, ownPath, others) : undefined
  const results = tried === undefined || events.length === 0 ? [] : tryRule(tried, events)
  const tests = isCompiled ? [...runRuleTests(compiled, parseRuleTests([{ path: ownPath, text }]))] : []
  return {
    isCompiled,
    findings,
    eventCount: events.length,
    eventProblem: 'problem' in read ? read.problem : undefined,
    results: results.map(({ isMatch, matchedConditions: conditions, hint }, index) => ({
      isMatch, conditions, ...(hint !== undefined && { hint }), isOfNoLogsource: isMatch && isOfNoLogsource(events[index]),
    })),
    isCorrelation: tried !== undefined && 'members' in tried.rule,
    explanation: results[Math.min(shown, results.length - 1)]?.explain(),
    tests: tests.map(({ test: { name, line }, failure }) => ({ name, line, failure })),
    refersTo: listReferences(text),
    fields: listFields(events),
  }
}

function isOfNoLogsource(event: EventObject | undefined): boolean {
  return event !== undefined && recognizeEvent(event, 'auto').logsources.length === 0
}

/** A pipeline in its place: the server has put them in their order. */
function readPipeline(text: string, priority: number): RulePipeline {
  return { ...parsePipeline(text), priority }
}

type ReadEvents = { readonly events: readonly EventObject[] } | { readonly problem: { readonly line: number; readonly message: string } }

/** Reads events as people paste them: one object over many lines, an array of them, or one a line. */
function readEvents(text: string): ReadEvents {
  const trimmed = text.trim()
  if (trimmed === '') return { events: [] }
  const whole = tryParse(trimmed)
  if ('value' in whole) return toEvents([whole.value].flat().map((value) => ({ line: 1, value })))
  const found: { readonly line: number; readonly value: unknown }[] = []
  const lines = text.split('\n')
  // One object over several lines is wrong somewhere; a line of it says nothing.
  const isByLine = lines.filter((line) => /^\s*\{.*\}\s*$/.test(line)).length > 0
  if (!isByLine) return { problem: { line: 1, message: whole.problem } }
  for (const [index, line] of lines.entries()) {
    if (line.trim() === '') continue
    const parsed = tryParse(line)
    if ('problem' in parsed) return { problem: { line: index + 1, message: parsed.problem } }
    found.push({ line: index + 1, value: parsed.value })
  }
  return toEvents(found)
}

function tryParse(text: string): { readonly value: unknown } | { readonly problem: string } {
  try {
    return { value: parseJson(text) }
  } catch (error) {
    return { problem: error instanceof Error ? error.message : String(error) }
  }
}

function toEvents(values: readonly { readonly line: number; readonly value: unknown }[]): ReadEvents {
  const wrong = values.find(({ value }) => typeof value !== 'object' || value === null || Array.isArray(value))
  if (wrong !== undefined) return { problem: { line: wrong.line, message: 'an event is a JSON object' } }
  if (values.length > eventsMax) return { problem: { line: 1, message: `at most ${eventsMax} events are tried at once` } }
  return { events: values.map(({ value }) => value as EventObject) }
}

/** The names below `rules` of the correlations and filters of all documents. */
function listReferences(text: string): readonly string[] {
  const { documents = [] } = readYaml(text)
  const names = documents.flatMap((document) => {
    if (document.kind !== 'map') return []
    const referring = ['correlation', 'filter'].flatMap((key) => findEntry(document, key)?.value ?? [])
    const rules = referring.flatMap((part) => (part.kind === 'map' ? findEntry(part, 'rules')?.value ?? [] : []))
    return rules.flatMap((one) => (one.kind === 'list' ? one.items : [one])).flatMap((item) => (item.kind === 'scalar' ? [item.text] : []))
  })
  return [...new Set(names)]
}

/** Paths of the values of events, dots between the names of nested objects. */
function listFields(events: readonly EventObject[]): readonly string[] {
  const names = new Set<string>()
  const add = (value: object, prefix: string): void => {
    for (const [name, inner] of Object.entries(value) as [string, unknown][]) {
      if (names.size >= fieldsMax) return
      if (typeof inner === 'object' && inner !== null && !Array.isArray(inner)) add(inner, `${prefix}${name}.`)
      else if (!name.startsWith('_')) names.add(prefix + name)
    }
  }
  for (const event of events) add(event, '')
  return [...names]
}
