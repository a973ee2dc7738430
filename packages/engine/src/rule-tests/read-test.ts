import { suggestName } from '../diagnostics.ts'
import type { DiagnosticCollector, Position } from '../diagnostics.ts'
import type { EventObject } from '../event/event.ts'
import { limits } from '../limits.ts'
import { toPlainObject } from '../sigma/rule-attributes.ts'
import { findEntry } from '../sigma/yaml-document.ts'
import type { YamlMap, YamlNode } from '../sigma/yaml-document.ts'
import { defaultStartAt } from './rule-test.ts'
import type { ExpectedMatch, Expectation, RuleTest, TestEvent } from './rule-test.ts'
import { latestTestTime, parseTestDuration, parseTestTime } from './test-time.ts'

/** What a test is called that has no name, and where an offset stands in the text. */
export type TestContext = { readonly nameless: string; readonly positionOf: (offset: number) => Position }

const testKeys = ['name', 'start', 'event', 'sequence', 'match', 'matches']
const stepKeys = ['at', 'event', 'repeat', 'every']
const matchKeys = ['at', 'group', 'events']

const timeForms = 'a time since the start such as 90s or 1m30s, or a date with a time'

/** Reads one entry of `tests`, reporting every problem; undefined where it is no test that could be run. */
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
  #isSound = true

  constructor(map: YamlMap, collector: DiagnosticCollector) {
    this.#map = map
    this.#collector = collector
  }

  read({ nameless, positionOf }: TestContext): RuleTest | undefined {
    const map = this.#map
    this.#refuseUnknownKeys(map, testKeys, 'a test')
    // What is missing beside a misspelt word is most likely that word.
    if (!this.#isSound) return undefined
    this.#startAt = this.#start()
    const name = this.#name() ?? nameless
    const events = this.#events()
    const expected = this.#expectation()
    if (!this.#isSound || events === undefined || expected === undefined) return undefined
    return { name, ...positionOf(map.offset), startAt: this.#startAt, events, expected }
  }

  #name(): string | undefined {
    const node = findEntry(this.#map, 'name')?.value
    if (node === undefined) return undefined
    if (node.kind === 'scalar' && node.value !== null && node.text !== '') return node.text
    return this.#refuse(node, "'name' must be text")
  }

  #start(): number {
    const node = findEntry(this.#map, 'start')?.value
    if (node === undefined) return defaultStartAt
    const startAt = node.kind === 'scalar' && /^\d{4}/.test(node.text) ? parseTestTime(node.text, 0) : undefined
    if (startAt === undefined) this.#refuse(node, "'start' must be a date with a time such as 2026-01-01T00:00:00Z")
    return startAt ?? defaultStartAt
  }

  #events(): readonly TestEvent[] | undefined {
    const single = findEntry(this.#map, 'event')
    const sequence = findEntry(this.#map, 'sequence')
    if (single !== undefined && sequence !== undefined) {
      return this.#refuseAt(sequence.keyOffset, "a test has either 'event' or 'sequence'")
    }
    if (single !== undefined) {
      const event = this.#event(single.value)
      return event && [{ at: this.#startAt, event }]
    }
    if (sequence === undefined) return this.#refuse(this.#map, "the test has neither 'event' nor 'sequence'")
    if (sequence.value.kind !== 'list') return this.#refuse(sequence.value, "'sequence' must be a list of events with times")
    return this.#sequence(sequence.value.items)
  }

  #sequence(items: readonly YamlNode[]): readonly TestEvent[] | undefined {
    const events: TestEvent[] = []
    // A step without a time comes with the one before it.
    let at = this.#startAt
    for (const item of items) {
      const step = this.#step(item, at)
      if (step === undefined) continue
      const { event, count, everyMs } = step
      if (events.length + count > limits.testEventsMax) {
        const message = `the test has more than ${limits.testEventsMax} events`
        this.#collector.error({ code: 'LIMIT_EXCEEDED', message, offset: item.offset })
        this.#isSound = false
        return undefined
      }
      for (let i = 0; i < count; i++) events.push({ at: step.at + i * everyMs, event })
      at = step.at + Math.max(0, count - 1) * everyMs
    }
    return events.sort((a, b) => a.at - b.at)
  }

  #step(node: YamlNode, previousAt: number): Step | undefined {
    if (node.kind !== 'map') return this.#refuse(node, "an entry of 'sequence' must be a map with 'event'")
    this.#refuseUnknownKeys(node, stepKeys, "an entry of 'sequence'")
    const eventNode = findEntry(node, 'event')?.value
    if (eventNode === undefined) return this.#refuse(node, "the entry of 'sequence' has no 'event'")
    const event = this.#event(eventNode)
    const at = this.#time(node) ?? previousAt
    const repeat = findEntry(node, 'repeat')?.value
    const count = repeat === undefined ? 1 : this.#count(repeat, 'repeat')
    const everyMs = this.#every(node)
    if (at + (count ?? 0) * everyMs > latestTestTime) return this.#refuse(node, "'every' leads beyond the year 9999")
    return event && count !== undefined ? { at, event, count, everyMs } : undefined
  }

  #every(step: YamlMap): number {
    const node = findEntry(step, 'every')?.value
    if (node === undefined) return 0
    if (findEntry(step, 'repeat') === undefined) this.#refuse(node, "'every' says how far repeated events are apart; there is no 'repeat'")
    const everyMs = node.kind === 'scalar' ? parseTestDuration(node.text) : undefined
    if (everyMs === undefined) this.#refuse(node, "'every' must be a length of time such as 2s or 1m30s")
    return everyMs ?? 0
  }

  #event(node: YamlNode): EventObject | undefined {
    if (node.kind !== 'map') return this.#refuse(node, "'event' must be a map of fields")
    return toPlainObject(node.entries)
  }

  #expectation(): Expectation | undefined {
    const match = findEntry(this.#map, 'match')
    const matches = findEntry(this.#map, 'matches')
    if (match !== undefined && matches !== undefined) {
      return this.#refuseAt(matches.keyOffset, "a test has either 'match' or 'matches'")
    }
    if (match !== undefined) {
      const { value } = match
      if (value.kind === 'scalar' && typeof value.value === 'boolean') return { kind: 'match', isMatch: value.value }
      return this.#refuse(value, "'match' must be true or false")
    }
    if (matches === undefined) return this.#refuse(this.#map, "the test says neither 'match' nor 'matches'")
    const { value } = matches
    if (value.kind === 'list') {
      const expected = value.items.map((item) => this.#expectedMatch(item)).filter((one) => one !== undefined)
      return { kind: 'matches', matches: expected }
    }
    const count = this.#count(value, 'matches')
    return count === undefined ? undefined : { kind: 'count', count, isMinimum: false }
  }

  #expectedMatch(node: YamlNode): ExpectedMatch | undefined {
    if (node.kind !== 'map') return this.#refuse(node, `an entry of 'matches' must be a map with some of ${matchKeys.join(', ')}`)
    this.#refuseUnknownKeys(node, matchKeys, "an entry of 'matches'")
    const events = findEntry(node, 'events')?.value
    return { at: this.#time(node), group: this.#group(node), eventCount: events && this.#count(events, 'events') }
  }

  #group(map: YamlMap): ReadonlyMap<string, string> | undefined {
    const node = findEntry(map, 'group')?.value
    if (node === undefined) return undefined
    if (node.kind !== 'map') return this.#refuse(node, "'group' must be a map from fields to values")
    const group = new Map<string, string>()
    for (const { key, value } of node.entries) {
      if (value.kind === 'scalar') group.set(key, value.text)
      else this.#refuse(value, `the value of '${key}' in 'group' must be text`)
    }
    return group
  }

  #time(map: YamlMap): number | undefined {
    const node = findEntry(map, 'at')?.value
    if (node === undefined) return undefined
    const at = node.kind === 'scalar' ? parseTestTime(node.text, this.#startAt) : undefined
    return at ?? this.#refuse(node, `'at' must be ${timeForms}`)
  }

  #count(node: YamlNode, key: string): number | undefined {
    const count = node.kind === 'scalar' && typeof node.value === 'number' ? node.value : Number.NaN
    if (Number.isInteger(count) && 0 <= count && count <= limits.testEventsMax) return count
    return this.#refuse(node, `'${key}' must be a whole number from 0 to ${limits.testEventsMax}`)
  }

  /** What is not known is a mistake: a test with a misspelt word would ask less than it seems to. */
  #refuseUnknownKeys(map: YamlMap, known: readonly string[], thing: string): void {
    for (const { key, keyOffset } of map.entries) {
      if (!known.includes(key)) this.#refuseAt(keyOffset, `${thing} has no '${key}'`, suggestName(key, known))
    }
  }

  #refuse(node: YamlNode, message: string): undefined {
    return this.#refuseAt(node.offset, message)
  }

  #refuseAt(offset: number, message: string, hint?: string): undefined {
    this.#isSound = false
    reportInvalid(offset, message, this.#collector, hint)
  }
}

type Step = { readonly at: number; readonly event: EventObject; readonly count: number; readonly everyMs: number }

function reportInvalid(offset: number, message: string, collector: DiagnosticCollector, hint?: string): void {
  collector.error({ code: 'INVALID_TEST', message, offset, hint })
}
