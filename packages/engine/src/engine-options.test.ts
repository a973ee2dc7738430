import { expect, test } from 'vitest'
import { compileRules } from './compile-rules.ts'
import type { CompileOptions, RuleSource } from './compile-rules.ts'
import type { CompiledRule } from './compiled-rule.ts'
import type { EngineOptions, InvalidEvent, PushOptions } from './engine-options.ts'
import { Engine } from './engine.ts'
import type { EventObject } from './event/event.ts'
import { explain } from './match.ts'
import type { EventOptions } from './match.ts'
import type { RuleSet } from './rule-set.ts'
import { saveRuleSet } from './saved/save-rule-set.ts'

const text = 'title: R\nlogsource: { product: p }\ndetection: { s: { a: x }, condition: s }\n'
const { ruleSet } = compileRules(text)
const event: EventObject = { _logsource: { product: 'p' }, a: 'x' }

/** What a caller without types passes. */
function untyped<T>(value: unknown): T {
  return value as T
}

const noRuleSet = (what: string): string =>
  `${what} takes a rule set: the ruleSet of what compileRules returns, or what loadRuleSet resolves with`

test.for<[title: string, call: () => unknown, message: string]>([
  ['of an engine', () => new Engine(ruleSet, untyped<EngineOptions>({ taxonmy: 'none' })),
    "unknown option 'taxonmy' of Engine; did you mean 'taxonomy'?"],
  ['of an engine that is like none', () => new Engine(ruleSet, untyped<EngineOptions>({ x: 1 })),
    "unknown option 'x' of Engine; it takes taxonomy, lenient, mapping, plain, now, budget, correlation, suppressions, ring"],
  ['of compileRules', () => compileRules(text, untyped<CompileOptions>({ placeholder: {} })),
    "unknown option 'placeholder' of compileRules; did you mean 'placeholders'?"],
  ['of push', () => new Engine(ruleSet).push([], untyped<PushOptions>({ recievedAt: 1 })),
    "unknown option 'recievedAt' of push; did you mean 'receivedAt'?"],
  ['of pushBytes', () => new Engine(ruleSet).pushBytes(new Uint8Array(), untyped<PushOptions>({ Sequence: 1 })),
    "unknown option 'Sequence' of pushBytes; did you mean 'sequence'?"],
  ['of explain', () => explain(ruleSet.rules[0]!, event, untyped<EventOptions>({ lenent: true })),
    "unknown option 'lenent' of explain; did you mean 'lenient'?"],
  ['that are no object', () => new Engine(ruleSet, untyped<EngineOptions>('auto')), 'the options of Engine are not an object'],
])('refuses options %s', ([, call, message]) => {
  expect(call).toThrow(new TypeError(message))
})

test.for<[title: string, call: () => unknown, message: string]>([
  ['a taxonomy', () => new Engine(ruleSet, untyped<EngineOptions>({ taxonomy: 'ecs' })), "the option 'taxonomy' is 'ecs'; it takes auto or none"],
  ['one event', () => new Engine(ruleSet).push(untyped<EventObject[]>(event)), 'push takes a list of events; for a single one, push [event]'],
  ['a text for bytes', () => new Engine(ruleSet).pushBytes(untyped<Uint8Array>('{}')),
    'pushBytes takes a Uint8Array of NDJSON; for text, use TextEncoder'],
  ['no rule set', () => new Engine(untyped<RuleSet>(undefined)), noRuleSet('Engine')],
  ['all that compileRules returns', () => new Engine(untyped<RuleSet>(compileRules(text))), noRuleSet('Engine')],
  ['a list of rules to swap', () => new Engine(ruleSet).swap(untyped<RuleSet>(ruleSet.rules)), noRuleSet('swap')],
  ['a text to save', () => saveRuleSet(untyped<RuleSet>(text)), noRuleSet('saveRuleSet')],
  ['no rule to explain', () => explain(untyped<CompiledRule>(undefined), event), 'explain takes a compiled rule, such as one of ruleSet.rules'],
  ['a text to explain', () => explain(ruleSet.rules[0]!, untyped<EventObject>('x')), 'explain takes an event as an object'],
  ['one source', () => compileRules(untyped<RuleSource[]>({ text })),
    'compileRules takes a rule text or a list of sources, such as [{ path, text }]'],
  ['no sources', () => compileRules(untyped<RuleSource[]>(undefined)),
    'compileRules takes a rule text or a list of sources, such as [{ path, text }]'],
  ['a source without text', () => compileRules([text, untyped<RuleSource>({ path: 'a.yml' })]), 'source 1 has no text; a source is { path, text }'],
])('refuses %s', ([, call, message]) => {
  expect(call).toThrow(new TypeError(message))
})

test('compiles a text and a list of texts', () => {
  expect(compileRules(text).ruleSet.rules.map(({ title }) => title)).toEqual(['R'])
  expect(compileRules([text, { path: 'b.yml', text: text.replace('R', 'S') }]).reports.map(({ path, title }) => [path, title]))
    .toEqual([['', 'R'], ['b.yml', 'S']])
})

test.for<[title: string, stranger: unknown, reason: string]>([
  ['null', null, 'not an object but null'],
  ['a text', 'x', 'not an object but of type string'],
  ['a list', [event], 'not an object but a list'],
  ['undefined', undefined, 'not an object but of type undefined'],
])('leaves out %s among events, reports it, and matches the rest', ([, stranger, reason]) => {
  const engine = new Engine(ruleSet, { ring: { eventsMax: 10, bytesMax: 10_000 } })
  const invalid: InvalidEvent[] = []
  const matches = engine.push([event, untyped<EventObject>(stranger), event], { sequence: 5, onInvalid: (one) => invalid.push(one) })
  expect(matches.map((match) => match.kind === 'detection' && match.row)).toEqual([0, 2])
  expect(invalid).toEqual([{ row: 1, reason }])
  expect(engine.counts).toMatchObject({ events: 2, matches: 2, invalid: 1 })
  // The stream has moved on by three.
  engine.push([event])
  expect([5, 6, 7, 8].map((sequence) => engine.ring?.get(sequence)?.sequence)).toEqual([5, undefined, 7, 8])
})

test('keeps rows over several batches', () => {
  const events = Array.from({ length: 3_000 }, (_, row) => (row % 2 === 0 ? event : untyped<EventObject>(null)))
  const rows = new Engine(ruleSet).push(events).map((match) => match.kind === 'detection' && match.row)
  expect(rows).toEqual(Array.from({ length: 1_500 }, (_, i) => 2 * i))
})
