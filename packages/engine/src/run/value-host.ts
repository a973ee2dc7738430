import type { NormalizedEvent } from '../event/event.ts'
import type { FieldValue } from '../event/value.ts'
import { fieldKinds } from '../kernel/check-program.ts'
import { createKernel } from '../kernel/kernel-provider.ts'
import type { Kernel, NumberSlice } from '../kernel/kernel.ts'
import { limits } from '../limits.ts'
import { parseJsonBytes, readKey } from './json-bytes.ts'
import { KernelDomains } from './kernel-domains.ts'
import { LineWriter } from './line-writer.ts'
import type { Decision, MatchCache } from './match-cache.ts'
import type { RouteIndex } from './route-index.ts'
import type { Runner, RunnerRoute } from './runner.ts'

/** Takes what comes of the rows that were written. */
type RowCallbacks = {
  readonly onDecision: (row: number, cache: MatchCache, decision: Decision) => void
  /** A row that the kernel does not judge. */
  readonly onSlowRow: (row: number) => void
}

type CachedDecision = { readonly cache: MatchCache; readonly decision: Decision }

/** The members of a written line that are of one index: a value for each of its fields, then classes. */
type IndexMembers = { readonly index: RouteIndex; readonly valueKeys: readonly string[]; readonly classKeys: readonly string[] }

/** What is written of the events of a route; `line` is written again and again, so that its shape is always one. */
type ValueProgram = { readonly line: { [key: string]: FieldValue }; readonly members: readonly IndexMembers[] }

const routingProgram = 0
/** The slot of the number of an event's program. */
const programSlot = 0

/**
 * Hands normalized events to a kernel by their values: writes of each what the rules of its route read, under names of
 * our own, as a line of JSON. Which field a value is of, and which rules an event is for, is decided before, so that
 * events of any shape and product come this way.
 *
 * Most values of a fleet are new. The kernel looks through a new text several times as fast as we do, and remembers it
 * in a table of bounded size instead of a map of strings that grows.
 */
export class ValueHost {
  #runner: Runner
  readonly #kernel: Kernel
  readonly #domains = new KernelDomains(() => this.#kernel)
  /** The class of a number is the number. */
  readonly #numberDomain = this.#domains.add({ classOf: (start, length) => Number(parseJsonBytes(this.#viewBytes(start, length))) })
  readonly #writer = new LineWriter()
  readonly #callbacks: RowCallbacks
  /** By number of a section: the cache and the route of its signatures; the first is routing. */
  readonly #sections: ({ readonly cache: MatchCache; readonly route: number } | undefined)[] = [undefined]
  /** By route; undefined where the kernel has too few slots. */
  readonly #programs = new Map<RunnerRoute, ValueProgram | undefined>()
  /** By number of a program: its route. */
  readonly #routes: (RunnerRoute | undefined)[] = [undefined]
  /** By number of a result; 0 is nothing. */
  readonly #decisions: (CachedDecision | undefined)[] = [undefined]
  /** Scratch: classes of pairs and leaves. */
  readonly #classes: number[] = []

  constructor(runner: Runner, callbacks: RowCallbacks) {
    this.#runner = runner
    this.#callbacks = callbacks
    this.#kernel = createKernel({
      keyCode: (start, length) => Number(readKey(this.#viewBytes(start, length)).slice(1)),
      classOf: (domain, start, length) => this.#domains.get(domain).classOf(start, length),
      classOfFound: (domain, start, length, found) => this.#domains.get(domain).classOfFound!(start, length, found),
      resultOf: (section, classes) => this.#computeResult(section, classes),
      found: (line, _start, _length, _section, result) => {
        const { cache, decision } = this.#decisions[result]!
        callbacks.onDecision(this.#writer.rows[line]!, cache, decision)
      },
      slowLine: (line) => callbacks.onSlowRow(this.#writer.rows[line]!),
    })
    this.#kernel.setProgram(routingProgram, Int32Array.of(0, 1, this.#numberDomain, fieldKinds.value, 1, programSlot))
  }

  /** Whether events or rule sets have filled what there is room for: begin again with a new host. */
  get isFull(): boolean {
    return this.#routes.length > limits.kernelProgramsMax / 2 || this.#domains.count > limits.kernelDomainsMax / 2
      || this.#decisions.length > limits.signaturesMax
  }

  /** Answers from another runner from now on; what the kernel remembers of caches that both have stays. */
  use(runner: Runner): void {
    this.#runner = runner
    this.#programs.clear()
  }

  /** Runs events and answers by its callbacks: decisions in the order of rows, slow rows in any. */
  run(events: readonly NormalizedEvent[]): void {
    this.#writer.clear()
    for (let row = 0; row < events.length; row++) {
      if (!this.#write(events[row]!, row)) this.#callbacks.onSlowRow(row)
      else if (this.#writer.isFull) this.#runWritten()
    }
    this.#runWritten()
  }

  #runWritten(): void {
    if (this.#writer.rows.length > 0) this.#kernel.run(this.#writer.bytes)
    this.#writer.clear()
    const counts = this.#kernel.eventCounts
    for (let program = 1; program < this.#routes.length; program++) {
      this.#routes[program]!.eventCount += counts[program]!
      counts[program] = 0
    }
  }

  #write(event: NormalizedEvent, row: number): boolean {
    const program = this.#getProgram(this.#runner.findRoute(event))
    if (program === undefined) return false
    const { line, members } = program
    for (const { index, valueKeys, classKeys } of members) {
      const values = index.readValues(event)
      for (let i = 0; i < valueKeys.length; i++) {
        const value = values[i]
        if (!isWritable(value)) return false
        line[valueKeys[i]!] = value
      }
      const count = index.addOtherClasses(event, this.#classes, 0)
      for (let i = 0; i < classKeys.length; i++) line[classKeys[i]!] = i < count ? this.#classes[i] : undefined
    }
    return this.#writer.writeJson(JSON.stringify(line), row)
  }

  #getProgram(route: RunnerRoute): ValueProgram | undefined {
    const known = this.#programs.get(route)
    if (known !== undefined || this.#programs.has(route)) return known
    const program = this.#compileProgram(route)
    this.#programs.set(route, program)
    return program
  }

  #compileProgram(route: RunnerRoute): ValueProgram | undefined {
    const number = this.#routes.length
    const words: number[] = []
    const keys = new KeyNumbers(programSlot + 1)
    const members = route.indexes.map((index): IndexMembers => {
      const { cache, fields } = index
      const valueKeys = fields.map(() => keys.next())
      const classKeys = Array.from({ length: index.pairs.length + (index.leaves === undefined ? 0 : 1) }, () => keys.next())
      const section = this.#internSection(cache, index.route)
      words.push(section, valueKeys.length + classKeys.length)
      for (const [i, key] of valueKeys.entries()) {
        words.push(this.#domains.getFieldDomain(cache, fields[i]!), fieldKinds.value, 1, toSlot(key))
      }
      for (const key of classKeys) words.push(this.#numberDomain, fieldKinds.value, 1, toSlot(key))
      return { index, valueKeys, classKeys }
    })
    if (keys.count > limits.kernelSlotsMax) return undefined
    this.#routes.push(route)
    this.#kernel.setProgram(number, Int32Array.from(words))
    return { line: { [toKey(programSlot)]: number }, members }
  }

  /** What the kernel calls the signatures along a route of a cache: they outlive a change of rules that both have. */
  #internSection(cache: MatchCache, route: number): number {
    const known = this.#sections.findIndex((one) => one?.cache === cache && one.route === route)
    return known === -1 ? this.#sections.push({ cache, route }) - 1 : known
  }

  #computeResult(section: number, { numbers, count }: NumberSlice): number {
    if (section === routingProgram) return numbers[0]!
    const { cache, route } = this.#sections[section]!
    const decision = cache.decide(route, numbers, count)
    return decision === undefined ? 0 : this.#decisions.push({ cache, decision }) - 1
  }

  #viewBytes(start: number, length: number): Uint8Array {
    return this.#kernel.bytes.subarray(start, start + length)
  }
}

/** Gives out keys, each with a slot of the kernel. */
class KeyNumbers {
  count: number

  constructor(first: number) {
    this.count = first
  }

  next(): string {
    return toKey(this.count++)
  }
}

function toKey(slot: number): string {
  return `v${slot}`
}

function toSlot(key: string): number {
  return Number(key.slice(1))
}

/** Whether JSON gives a value back as it is: there is neither an infinite number in it nor what is no number. */
function isWritable(value: FieldValue): boolean {
  if (typeof value === 'number') return Number.isFinite(value)
  return typeof value !== 'object' || value === null || value.every((one) => typeof one !== 'number' || Number.isFinite(one))
}
