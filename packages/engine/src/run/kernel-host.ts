import type { FieldAliases, NormalizedEvent } from '../event/event.ts'
import { foldCase } from '../event/fold-case.ts'
import { collectLeafTexts } from '../event/leaves.ts'
import { fieldKinds } from '../kernel/check-program.ts'
import { createKernel } from '../kernel/kernel-provider.ts'
import type { Kernel, NumberSlice } from '../kernel/kernel.ts'
import { limits } from '../limits.ts'
import type { FieldAtoms } from '../plan/field-atoms.ts'
import { flatKindFields } from '../taxonomy/flat-event-kind.ts'
import { FlatRouter } from './flat-router.ts'
import { areEqualStrings, parseJsonBytes, readFieldValue, readKey, readObject } from './json-bytes.ts'
import { KernelDomains } from './kernel-domains.ts'
import { KeySlots } from './key-slots.ts'
import { extractLineLiterals } from './line-literals.ts'
import type { MatchCache, Decision } from './match-cache.ts'
import type { RouteIndex, RoutePair } from './route-index.ts'
import type { Runner, RunnerRoute } from './runner.ts'

/** The position of a line in a buffer: its number, and its bytes. */
export type LineSpan = { readonly line: number; readonly start: number; readonly length: number }

/** Receives the results of a run. */
type LineCallbacks = {
  readonly onDecision: (place: LineSpan, cache: MatchCache, decision: Decision) => void
  readonly onSlowLine: (place: LineSpan) => void
}

type KernelSection = { readonly owner: FlatRouter | MatchCache; /** A route of the cache. */ readonly route: number }

type CachedDecision = { readonly cache: MatchCache; readonly decision: Decision }

/** The events that a program is for: those of a route that use the same field names. */
type ProgramKey = { readonly route: RunnerRoute; readonly aliases: FieldAliases; readonly ignoresNameCase: boolean }

/** The slots of the two fields of a pair, and its domain. */
type PairSlots = { domain: number; slots: readonly number[]; otherSlots: readonly number[] }

const routingProgram = 0
/** A routing result instead of a program: the line has to be parsed. */
const slowLine = 0

/**
 * Serves a kernel from the match caches of a runner: it decides which keys matter, which equivalence class a value has
 * and which rules match a signature. Compiles a route to a kernel program when its first event comes.
 */
export class KernelHost {
  readonly #kernel: Kernel
  readonly #slots: KeySlots
  #runner: Runner
  #router = new FlatRouter()
  readonly #domains = new KernelDomains(() => this.#kernel)
  /** Caches of one index share its atoms, but not their classes. */
  readonly #leafDomains = new Map<MatchCache, Map<FieldAtoms, number>>()
  /** By cache, then by naming and atom. */
  readonly #pairSlots = new Map<MatchCache, Map<string, PairSlots>>()
  readonly #namings: Omit<ProgramKey, 'route'>[] = []
  /** By section id in the kernel: who decides its signatures. */
  readonly #sections: KernelSection[] = []
  /** By program: the events that it is for; undefined for the routing program. */
  readonly #programKeys: (ProgramKey | undefined)[] = []
  /** Programs by route and aliases. */
  readonly #programs = new Map<RunnerRoute, Map<FieldAliases, number>>()
  /** By result number; 0 means that no rule matches. */
  readonly #decisions: (CachedDecision | undefined)[] = [undefined]

  constructor(runner: Runner, events: LineCallbacks) {
    this.#runner = runner
    this.#slots = new KeySlots(runner.fieldNames, (spelling) => this.#recompileForSpelling(spelling))
    this.#kernel = createKernel({
      keyCode: (start, length) => this.#slots.getKeyCode(readKey(this.#viewBytes(start, length))),
      classOf: (domain, start, length) => this.#domains.get(domain).classOf(start, length),
      classOfFound: (domain, start, length, found) => this.#domains.get(domain).classOfFound!(start, length, found),
      resultOf: (section, classes) => this.#computeResult(section, classes),
      found: (line, start, length, _section, result) => {
        const { cache, decision } = this.#decisions[result]!
        events.onDecision({ line, start, length }, cache, decision)
      },
      slowLine: (line, start, length) => events.onSlowLine({ line, start, length }),
    }, { slotCount: this.#slots.capacity })
    this.#compileRouting()
  }

  /** Whether a limit is reached: replace this host by a new one. */
  get isFull(): boolean {
    return this.#router.isFull || this.#programKeys.length > limits.kernelProgramsMax / 2
      || this.#domains.count > limits.kernelDomainsMax / 2 || this.#decisions.length > limits.signaturesMax
  }

  /**
   * Switches to another runner; the kernel keeps its cache for match caches that both runners share. Returns false if the
   * new runner reads fields whose keys the kernel skips.
   */
  use(runner: Runner): boolean {
    for (const name of runner.fieldNames) if (!this.#slots.has(name)) return false
    this.#runner = runner
    this.#programs.clear()
    this.#compileRouting()
    return true
  }

  /** Runs lines and returns their count and the count of events that were matched without parsing. */
  run(bytes: Uint8Array): { readonly lineCount: number; readonly eventCount: number } {
    const lineCount = this.#kernel.run(bytes)
    const counts = this.#kernel.eventCounts
    let eventCount = 0
    for (const [program, key] of this.#programKeys.entries()) {
      const count = counts[program] ?? 0
      if (key === undefined || count === 0) continue
      key.route.eventCount += count
      eventCount += count
      counts[program] = 0
    }
    return { lineCount, eventCount }
  }

  /** Compiles the routing program with a new router, whose new sections and domains bypass cached results of the old one. */
  #compileRouting(): void {
    const router = new FlatRouter()
    this.#router = router
    const fields = flatKindFields.map(({ name, isValueRead }, field) => {
      const classOf = (start: number, length: number) => router.classify(field, parseJsonBytes(this.#viewBytes(start, length)))
      const domain = this.#domains.add({ classOf })
      return [domain, isValueRead ? fieldKinds.value : fieldKinds.text, 1, this.#slots.getSlot(name)]
    })
    const section = this.#internSection(router, 0)
    this.#programKeys[routingProgram] = undefined
    this.#kernel.setProgram(routingProgram, Int32Array.from([section, fields.length, ...fields.flat()]))
  }

  #computeResult(section: number, { numbers, count }: NumberSlice): number {
    const { owner, route } = this.#sections[section]!
    if (owner instanceof FlatRouter) {
      const kind = owner.findKind(numbers, count)
      return kind === undefined ? slowLine : this.#getProgram(kind)
    }
    const decision = owner.decide(route, numbers, count)
    return decision === undefined ? 0 : this.#decisions.push({ cache: owner, decision }) - 1
  }

  /** The section id of a route of a cache, or of a router. */
  #internSection(owner: FlatRouter | MatchCache, route: number): number {
    const known = this.#sections.findIndex((one) => one.owner === owner && one.route === route)
    return known === -1 ? this.#sections.push({ owner, route }) - 1 : known
  }

  #getProgram({ logsources, aliases, ignoresNameCase }: NormalizedEvent): number {
    const route = this.#runner.getRoute(logsources)
    const byAliases = this.#programs.get(route) ?? new Map<FieldAliases, number>()
    this.#programs.set(route, byAliases)
    const known = byAliases.get(aliases)
    if (known !== undefined) return known
    const program = this.#programKeys.push({ route, aliases, ignoresNameCase }) - 1
    byAliases.set(aliases, program)
    this.#compileProgram(program)
    return program
  }

  #compileProgram(program: number): void {
    const key = this.#programKeys[program]
    if (key === undefined) return
    this.#kernel.setProgram(program, Int32Array.from(key.route.indexes.flatMap((section) => this.#encodeSection(section, key))))
  }

  /** Recompiles the programs that read a field, after an event with a new spelling of its name. */
  #recompileForSpelling(spelling: string): void {
    const folded = foldCase(spelling)
    for (const [program, key] of this.#programKeys.entries()) {
      const names = key?.route.indexes.flatMap(({ names: ofSection }) => ofSection)
      if (names?.some((name) => foldCase(name) === folded)) this.#compileProgram(program)
    }
  }

  #encodeSection(section: RouteIndex, key: ProgramKey): number[] {
    const { cache, fields, pairs, leaves } = section
    const words = fields.map((field) => {
      const slots = this.#findSlots(cache.index.fields[field] ?? '', key)
      return [this.#domains.getFieldDomain(cache, field), fieldKinds.value, slots.length, ...slots]
    })
    for (const pair of pairs) words.push(this.#encodePair(cache, pair, key))
    if (leaves !== undefined) words.push([this.#getLeafDomain(cache, leaves), fieldKinds.line, 0])
    return [this.#internSection(cache, section.route), words.length, ...words.flat()]
  }

  #findSlots(name: string, { aliases, ignoresNameCase }: ProgramKey): readonly number[] {
    return this.#slots.findSlots(name, aliases, ignoresNameCase)
  }

  /** Encodes a pair: the host compares the values in the slots, after the kernel has ruled out texts that cannot be equal. */
  #encodePair(cache: MatchCache, section: RoutePair, key: ProgramKey): number[] {
    const { pair } = section
    const { domain, slots, otherSlots } = this.#getPairSlots(cache, section, key)
    if (pair.test.relation !== 'equals') return [domain, fieldKinds.line, 0]
    return [domain, fieldKinds.pair, 1 + slots.length + otherSlots.length, slots.length, ...slots, ...otherSlots]
  }

  /** The domain and slots of a pair. A new spelling changes only the slots, because events choose how many spellings come. */
  #getPairSlots(cache: MatchCache, { pair, isMatch }: RoutePair, key: ProgramKey): PairSlots {
    const known = this.#pairSlots.get(cache) ?? new Map<string, PairSlots>()
    this.#pairSlots.set(cache, known)
    const name = `${this.#internNaming(key)} ${pair.atom}`
    const sources: PairSlots = known.get(name) ?? { domain: 0, slots: [], otherSlots: [] }
    if (!known.has(name)) sources.domain = this.#addPairDomain(cache, pair.atom, () => {
      const value = this.#slotBytes(sources.slots)
      const other = this.#slotBytes(sources.otherSlots)
      if (value === undefined || other === undefined) return false
      return (pair.test.relation === 'equals' && areEqualStrings(value, other)) || isMatch(readFieldValue(value), readFieldValue(other))
    })
    known.set(name, sources)
    sources.slots = this.#findSlots(pair.field, key)
    sources.otherSlots = this.#findSlots(pair.other, key)
    return sources
  }

  #addPairDomain(cache: MatchCache, atom: number, isMatch: () => boolean): number {
    const trueClass = cache.internClass([atom])
    const { timer } = cache.profile
    const classOf = (): number => {
      const startedAt = timer?.start(atom) ?? Number.NaN
      const isTrue = isMatch()
      timer?.stop(atom, startedAt)
      return isTrue ? trueClass : 0
    }
    return this.#domains.add({ classOf })
  }

  /** Interns a naming of fields. */
  #internNaming({ aliases, ignoresNameCase }: ProgramKey): number {
    const known = this.#namings.findIndex((one) => one.aliases === aliases && one.ignoresNameCase === ignoresNameCase)
    return known === -1 ? this.#namings.push({ aliases, ignoresNameCase }) - 1 : known
  }

  /** The raw JSON value in the first of these slots that the current event fills. */
  #slotBytes(slots: readonly number[]): Uint8Array | undefined {
    for (const slot of slots) {
      const start = this.#kernel.slotStart(slot)
      if (start !== 0) return this.#viewBytes(start, this.#kernel.slotLength(slot))
    }
    return undefined
  }

  /** The domain of keywords: the line filter rules out most lines, and the leaves of the others are searched. */
  #getLeafDomain(cache: MatchCache, leaves: FieldAtoms): number {
    const domains = this.#leafDomains.get(cache) ?? new Map<FieldAtoms, number>()
    this.#leafDomains.set(cache, domains)
    const known = domains.get(leaves)
    if (known !== undefined) return known
    const domain = this.#domains.add({
      classOf: (start, length) => cache.classifyLeaves(leaves, collectLeafTexts(readObject(this.#viewBytes(start, length)))),
    })
    const literals = leaves.requirement === undefined ? undefined : extractLineLiterals(leaves.requirement)
    const isFiltered = literals !== undefined && literals.length <= limits.kernelLiteralsMax
    if (isFiltered) this.#kernel.setLineFilter(domain, literals)
    domains.set(leaves, domain)
    return domain
  }

  #viewBytes(start: number, length: number): Uint8Array {
    return this.#kernel.bytes.subarray(start, start + length)
  }
}
