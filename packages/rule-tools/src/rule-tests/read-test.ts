import { suggestName } from '@tripline/engine'
import type { EventObject } from '@tripline/engine'
import type { DiagnosticCollector, Position } from '@tripline/engine/authoring'
import { toPlainObject } from '@tripline/engine/authoring'
import { findEntry } from '@tripline/engine/yaml'
import type { YamlMap, YamlNode } from '@tripline/engine/yaml'
import { limits } from '../limits.ts'
import { defaultStartAt } from './rule-test.ts'
import type { ExpectedMatch, Expectation, RuleTest, TestEvent } from './rule-test.ts'
import { latestTestTime, parseTestDuration, parseTestTime } from './test-time.ts'

/** The name for a test without one, and the conversion of offsets to positions. */
type TestContext = { readonly nameless: string; readonly positionOf: (offset: number) => Position }

const testKeys = ['name', 'start', 'event', 'sequence', 'match', 'matches']
const stepKeys = ['at', 'event', 'repeat', 'every']
const matchKeys = ['at', 'group', 'events']

const timeForms = 'a time since the start such as 90s or 1m30s, or a date with a time'

/** Reads an entry of `tests` and reports every problem; undefined when it is not valid. */
export function readTest(node: YamlNode, collector: DiagnosticCollector, context: TestContext): RuleTest | undefined {
  if (node.kind !== 'map') {
    reportInvalid(node.offset, "a test must be a map with 'event' or 'sequence'", collector)
    return undefined
  }
  return new TestReader(node, collector).read(context)
}

class TestReader {
  readonly #map: YamlMap
  readonly #collector: DiagnosticCollector
  #startAt = defaultStartAt
  #isValid = true

  constructor(map: YamlMap, collector: DiagnosticCollector) {
    this.#map = map
    this.#collector = collector
  }

  read({ nameless, positionOf }: TestContext): RuleTest | undefined {
    const map = this.#map
    this.#reportUnknownKeys(map, testKeys, 'a test')
    // A missing key next to a misspelled one is most likely that key.
    if (!this.#isValid) return undefined
    this.#startAt = this.#start()
    const name = this.#name() ?? nameless
    const events = this.#events()
    const expected = this.#expectation()
    if (!this.#isValid || events === undefined || expected === undefined) return undefined
    return { name, ...positionOf(map.offset), startAt: this.#startAt, events, expected }
  }

  #name(): string | undefined {
    const node = findEntry(this.#map, 'name')?.value
    if (node === undefined) return undefined
    if (node.kind === 'scalar' && node.value !== null && node.text !== '') return node.text
    return this.#reportInvalid(node, "'name' must be text")
  }

  #start(): number {
    const node = findEntry(this.#map, 'start')?.value
    if (node === undefined) return defaultStartAt
    const startAt = node.kind === 'scalar' && /^\d{4}/.test(node.text) ? parseTestTime(node.text, 0) : undefined
    if (startAt === undefined) this.#reportInvalid(node, "'start' must be a date with a time such as 2026-01-01T00:00:00Z")
    return startAt ?? defaultStartAt
  }

  #events(): readonly TestEvent[] | undefined {
    const single = findEntry(this.#map, 'event')
    const sequence = findEntry(this.#map, 'sequence')
    if (single !== undefined && sequence !== undefined) {
      return this.#reportInvalidAt(sequence.keyOffset, "a test must have either 'event' or 'sequence', not both")
    }
    if (single !== undefined) {
      const event = this.#event(single.value)
      return event && [{ at: this.#startAt, event }]
    }
    if (sequence === undefined) return this.#reportInvalid(this.#map, "the test has neither 'event' nor 'sequence'")
    if (sequence.value.kind === 'list') return this.#sequence(sequence.value.items)
    return this.#reportInvalid(sequence.value, "'sequence' must be a list of maps with 'event' and 'at'")
  }

  #sequence(items: readonly YamlNode[]): readonly TestEvent[] | undefined {
    const events: TestEvent[] = []
    // A step without a time has the time of the previous one.
    let at = this.#startAt
    for (const item of items) {
      const step = this.#step(item, at)
      if (step === undefined) continue
      const { event, count, everyMs } = step
      if (events.length + count > limits.testEventsMax) {
        const message = `the test has more than ${limits.testEventsMax} events`
        this.#collector.error({ code: 'LIMIT_EXCEEDED', message, offset: item.offset })
        this.#isValid = false
        return undefined
      }
      for (let i = 0; i < count; i++) events.push({ at: step.at + i * everyMs, event })
      at = step.at + Math.max(0, count - 1) * everyMs
    }
    return events.sort((a, b) => a.at - b.at)
  }

  #step(node: YamlNode, previousAt: number): Step | undefined {
    if (node.kind !== 'map') return this.#reportInvalid(node, "an entry of 'sequence' must be a map with 'event'")
    this.#reportUnknownKeys(node, stepKeys, "an entry of 'sequence'")
    const eventNode = findEntry(node, 'event')?.value
    if (eventNode === undefined) return this.#reportInvalid(node, "the entry of 'sequence' has no 'event'")
    const event = this.#event(eventNode)
    const at = this.#time(node) ?? previousAt
    const repeat = findEntry(node, 'repeat')?.value
    const count = repeat === undefined ? 1 : this.#count(repeat, 'repeat')
    const everyMs = this.#every(node)
    if (at + (count ?? 0) * everyMs > latestTestTime) return this.#reportInvalid(node, "'every' leads to times after the year 9999")
    return event && count !== undefined ? { at, event, count, everyMs } : undefined
  }

  #every(step: YamlMap): number {
    const node = findEntry(step, 'every')?.value
    if (node === undefined) return 0
    if (findEntry(step, 'repeat') === undefined) this.#reportInvalid(node, "'every' needs 'repeat'")
    const everyMs = node.kind === 'scalar' ? parseTestDuration(node.text) : undefined
    if (everyMs === undefined) this.#reportInvalid(node, "'every' must be a duration such as 2s or 1m30s")
    return everyMs ?? 0
  }

  #event(node: YamlNode): EventObject | undefined {
    if (node.kind !== 'map') return this.#reportInvalid(node, "'event' must be a map of fields")
    return toPlainObject(node.entries)
  }

  #expectation(): Expectation | undefined {
    const match = findEntry(this.#map, 'match')
    const matches = findEntry(this.#map, 'matches')
    if (match !== undefined && matches !== undefined) {
      return this.#reportInvalidAt(matches.keyOffset, "a test must have either 'match' or 'matches', not both")
    }
    if (match !== undefined) {
      const { value } = match
      if (value.kind === 'scalar' && typeof value.value === 'boolean') return { kind: 'match', isMatch: value.value }
      return this.#reportInvalid(value, "'match' must be true or false")
    }
    if (matches === undefined) return this.#reportInvalid(this.#map, "the test has neither 'match' nor 'matches'")
    const { value } = matches
    if (value.kind === 'list') {
      const expected = value.items.map((item) => this.#expectedMatch(item)).filter((one) => one !== undefined)
      return { kind: 'matches', matches: expected }
    }
    const count = this.#count(value, 'matches')
    return count === undefined ? undefined : { kind: 'count', count, isMinimum: false }
  }

  #expectedMatch(node: YamlNode): ExpectedMatch | undefined {
    if (node.kind !== 'map') return this.#reportInvalid(node, `an entry of 'matches' must be a map with keys of ${matchKeys.join(', ')}`)
    this.#reportUnknownKeys(node, matchKeys, "an entry of 'matches'")
    const events = findEntry(node, 'events')?.value
    return { at: this.#time(node), group: this.#group(node), eventCount: events && this.#count(events, 'events') }
  }

  #group(map: YamlMap): ReadonlyMap<string, string> | undefined {
    const node = findEntry(map, 'group')?.value
    if (node === undefined) return undefined
    if (node.kind !== 'map') return this.#reportInvalid(node, "'group' must be a map from fields to values")
    const group = new Map<string, string>()
    for (const { key, value } of node.entries) {
      if (value.kind === 'scalar') group.set(key, value.text)
      else this.#reportInvalid(value, `the value of '${key}' in 'group' must be text`)
    }
    return group
  }

  #time(map: YamlMap): number | undefined {
    const node = findEntry(map, 'at')?.value
    if (node === undefined) return undefined
    const at = node.kind === 'scalar' ? parseTestTime(node.text, this.#startAt) : undefined
    return at ?? this.#reportInvalid(node, `'at' must be ${timeForms}`)
  }

  #count(node: YamlNode, key: string): number | undefined {
    const count = node.kind === 'scalar' && typeof node.value === 'number' ? node.value : Number.NaN
    if (Number.isInteger(count) && 0 <= count && count <= limits.testEventsMax) return count
    return this.#reportInvalid(node, `'${key}' must be a whole number from 0 to ${limits.testEventsMax}`)
  }

  /** Reports unknown keys as errors, because a test with a misspelled key would check less than it seems to. */
  #reportUnknownKeys(map: YamlMap, known: readonly string[], thing: string): void {
    for (const { key, keyOffset } of map.entries) {
      if (!known.includes(key)) this.#reportInvalidAt(keyOffset, `the key '${key}' is not allowed in ${thing}`, suggestName(key, known))
    }
  }

  #reportInvalid(node: YamlNode, message: string): undefined {
    return this.#reportInvalidAt(node.offset, message)
  }

  #reportInvalidAt(offset: number, message: string, hint?: string): undefined {
    this.#isValid = false
    reportInvalid(offset, message, this.#collector, hint)
  }
}

type Step = { readonly at: number; readonly event: EventObject; readonly count: number; readonly everyMs: number }

function reportInvalid(offset: number, message: string, collector: DiagnosticCollector, hint?: string): void {
  collector.error({ code: 'INVALID_TEST', message, offset, hint })
}
