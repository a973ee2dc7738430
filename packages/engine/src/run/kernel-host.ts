import type { FieldAliases, NormalizedEvent } from '../event/event.ts'
import { foldCase } from '../event/fold-case.ts'
import { collectLeafTexts } from '../event/leaves.ts'
import type { FieldValue } from '../event/value.ts'
import { fieldKinds } from '../kernel/check-program.ts'
import { Kernel } from '../kernel/kernel.ts'
import type { NumberSlice } from '../kernel/kernel.ts'
import { limits } from '../limits.ts'
import type { FieldAtoms } from '../plan/field-atoms.ts'
import { flatKindFields } from '../taxonomy/flat-event-kind.ts'
import { FlatRouter } from './flat-router.ts'
import { areEqualStrings, readJson, readKey, readObject, readValue } from './json-bytes.ts'
import { KeySlots } from './key-slots.ts'
import { extractLineLiterals } from './line-literals.ts'
import type { MatchCache, Decision } from './match-cache.ts'
import type { RouteIndex, RoutePair } from './route-index.ts'
import type { Route, Runner } from './runner.ts'

/** A line of a buffer, by its number and place. */
export type LineSpan = { readonly line: number; readonly start: number; readonly length: number }

/** Takes what the kernel finds. */
export type LineCallbacks = {
  readonly onDecision: (place: LineSpan, memory: MatchCache, decision: Decision) => void
  readonly onSlowLine: (place: LineSpan) => void
}

/** Answers the class of a value, or of a line, at a place of the kernel's memory. */
type Domain = {
  readonly classOf: (start: number, length: number) => number
  /** As `KernelCallbacks` has it; of domains with needles. */
  readonly classOfFound?: (start: number, length: number, found: NumberSlice) => number
}

type KernelSection = { readonly owner: FlatRouter | MatchCache; /** Of a memory. */ readonly route: number }

type CachedDecision = { readonly memory: MatchCache; readonly decision: Decision }

/** What a program is for: events of a route that name their fields in one way. */
type ProgramKey = { readonly route: Route; readonly aliases: FieldAliases; readonly ignoresNameCase: boolean }

/** Where the kernel has the fields of a pair, and the domain in which they are compared. */
type PairSlots = { readonly domain: number; slots: readonly number[]; otherSlots: readonly number[] }

const routingProgram = 0
/** The number of a program that sends a line to those who parse it. */
const slowLine = 0

/**
 * Answers a kernel from what a runner has learned: which keys matter, which class a value has, what the
 * classes of an event mean. Routes become programs of the kernel when their first event comes.
 */
export class KernelHost {
  readonly #kernel: Kernel
  readonly #slots: KeySlots
  #runner: Runner
  #router = new FlatRouter()
  readonly #domains: Domain[] = []
  readonly #fieldDomains = new Map<MatchCache, number[]>()
  /** Memories of one index share its atoms; their classes are their own. */
  readonly #leafDomains = new Map<MatchCache, Map<FieldAtoms, number>>()
  /** By memory, then by the way in which events name their fields and by atom. */
  readonly #pairSlots = new Map<MatchCache, Map<string, PairSlots>>()
  readonly #namings: Omit<ProgramKey, 'route'>[] = []
  /** By what the kernel calls a section: who says what its walks mean. */
  readonly #sections: KernelSection[] = []
  /** By number of a program: what it was made for. */
  readonly #programKeys: (ProgramKey | undefined)[] = []
  /** Programs by route and by how its events name their fields. */
  readonly #programs = new Map<Route, Map<FieldAliases, number>>()
  /** By number of a result; 0 is nothing. */
  readonly #decisions: (CachedDecision | undefined)[] = [undefined]

  constructor(runner: Runner, events: LineCallbacks) {
    this.#runner = runner
    this.#slots = new KeySlots(runner.fieldNames, (spelling) => this.#recompileForSpelling(spelling))
    this.#kernel = new Kernel({
      keyCode: (start, length) => this.#slots.getKeyCode(readKey(this.#viewBytes(start, length))),
      classOf: (domain, start, length) => this.#domains[domain]!.classOf(start, length),
      classOfFound: (domain, start, length, found) => this.#domains[domain]!.classOfFound!(start, length, found),
      resultOf: (section, classes) => this.#computeResult(section, classes),
      found: (line, start, length, _section, result) => {
        const { memory, decision } = this.#decisions[result]!
        events.onDecision({ line, start, length }, memory, decision)
      },
      slowLine: (line, start, length) => events.onSlowLine({ line, start, length }),
    }, { slotCount: this.#slots.capacity })
    this.#compileRouting()
  }

  /** Whether events or rule sets have filled what there is room for: begin again with a new host. */
  get isFull(): boolean {
    return this.#router.isFull || this.#programKeys.length > limits.kernelProgramsMax / 2
      || this.#domains.length > limits.kernelDomainsMax / 2 || this.#decisions.length > limits.walksMax
  }

  /**
   * Answers from another runner from now on; what the kernel remembers of memories that both have stays.
   * Says no where the new one reads fields that the kernel was told to pass over.
   */
  use(runner: Runner): boolean {
    for (const name of runner.fieldNames) if (!this.#slots.has(name)) return false
    this.#runner = runner
    this.#programs.clear()
    this.#compileRouting()
    return true
  }

  /** Runs lines and answers how many there were, and how many events of them needed nobody else. */
  run(bytes: Uint8Array): { readonly lineCount: number; readonly eventCount: number } {
    const lineCount = this.#kernel.run(bytes)
    const counts = this.#kernel.eventCounts
    let eventCount = 0
    for (const [program, made] of this.#programKeys.entries()) {
      const count = counts[program] ?? 0
      if (made === undefined || count === 0) continue
      made.route.eventCount += count
      eventCount += count
      counts[program] = 0
    }
    return { lineCount, eventCount }
  }

  /** Routes anew: a new router's sections and domains are others, so that what was remembered of the old is not met. */
  #compileRouting(): void {
    const router = new FlatRouter()
    this.#router = router
    const fields = flatKindFields.map(({ name, isValueRead }, field) => {
      const domain = this.#addDomain({ classOf: (start, length) => router.classify(field, readJson(this.#viewBytes(start, length))) })
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
    return decision === undefined ? 0 : this.#decisions.push({ memory: owner, decision }) - 1
  }

  /** What the kernel calls the walks along a route of a memory, or of a router. */
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

  /** An event came that spells the name of a field in a new way: programs that read the field have to look there too. */
  #recompileForSpelling(spelling: string): void {
    const folded = foldCase(spelling)
    for (const [program, made] of this.#programKeys.entries()) {
      const names = made?.route.indexes.flatMap(({ names: ofSection }) => ofSection)
      if (names?.some((name) => foldCase(name) === folded)) this.#compileProgram(program)
    }
  }

  #encodeSection(section: RouteIndex, key: ProgramKey): number[] {
    const { cache, fields, pairs, leaves } = section
    const walks = fields.map((field) => {
      const slots = this.#findSlots(cache.index.fields[field] ?? '', key)
      return [this.#getFieldDomain(cache, field), fieldKinds.value, slots.length, ...slots]
    })
    for (const pair of pairs) walks.push(this.#encodePair(cache, pair, key))
    if (leaves !== undefined) walks.push([this.#getLeafDomain(cache, leaves), fieldKinds.line, 0])
    return [this.#internSection(cache, section.route), walks.length, ...walks.flat()]
  }

  #getFieldDomain(memory: MatchCache, field: number): number {
    const domains = this.#fieldDomains.get(memory) ?? []
    this.#fieldDomains.set(memory, domains)
    return (domains[field] ??= this.#addFieldDomain(memory, field))
  }

  /** Where the kernel can look for the needles, the value is read only if more of it is wanted. */
  #addFieldDomain(memory: MatchCache, field: number): number {
    const read = (start: number, length: number): FieldValue => readValue(this.#viewBytes(start, length))
    const learnFound = (start: number, length: number, found: NumberSlice): number => (
      memory.classifyByHits(field, found, length, () => read(start, length))
    )
    // What to look for is told when the first value comes: of most fields none ever does.
    let isTold = false
    const domain = this.#addDomain({
      classOf: (start, length) => {
        if (!isTold) this.#setNeedles(domain, memory.index.getFieldAtoms(field))
        const found = isTold ? undefined : this.#kernel.findNeedles(domain, start, length)
        isTold = true
        return found === undefined ? memory.classify(field, read(start, length)) : learnFound(start, length, found)
      },
      classOfFound: (start, length, found) => {
        const learned = learnFound(start, length, found)
        return memory.index.getFieldAtoms(field).isDecidedByHits ? learned : ~learned
      },
    })
    return domain
  }

  #setNeedles(domain: number, { needles }: FieldAtoms): void {
    if (needles.length <= limits.kernelNeedlesMax) this.#kernel.setNeedles(domain, needles)
  }

  #findSlots(name: string, { aliases, ignoresNameCase }: ProgramKey): readonly number[] {
    return this.#slots.findSlots(name, aliases, ignoresNameCase)
  }

  /** The host compares what the event at hand has in the slots; the kernel sees where texts cannot be equal. */
  #encodePair(memory: MatchCache, section: RoutePair, key: ProgramKey): number[] {
    const { pair } = section
    const { domain, slots, otherSlots } = this.#getPairSlots(memory, section, key)
    if (pair.test.relation !== 'equals') return [domain, fieldKinds.line, 0]
    return [domain, fieldKinds.pair, 1 + slots.length + otherSlots.length, slots.length, ...slots, ...otherSlots]
  }

  /** Events choose how often they spell a name in a new way: only the slots are others then, not the domain. */
  #getPairSlots(memory: MatchCache, { pair, isMatch }: RoutePair, key: ProgramKey): PairSlots {
    const known = this.#pairSlots.get(memory) ?? new Map<string, PairSlots>()
    this.#pairSlots.set(memory, known)
    const name = `${this.#internNaming(key)} ${pair.atom}`
    const domain = (): number => this.#addPairDomain(memory, pair.atom, () => {
      const value = this.#slotBytes(sources.slots)
      const other = this.#slotBytes(sources.otherSlots)
      if (value === undefined || other === undefined) return false
      return (pair.test.relation === 'equals' && areEqualStrings(value, other)) || isMatch(readValue(value), readValue(other))
    })
    const sources: PairSlots = known.get(name) ?? { domain: domain(), slots: [], otherSlots: [] }
    known.set(name, sources)
    sources.slots = this.#findSlots(pair.field, key)
    sources.otherSlots = this.#findSlots(pair.other, key)
    return sources
  }

  #addPairDomain(memory: MatchCache, atom: number, isMatch: () => boolean): number {
    const whenHeld = memory.internClass([atom])
    const { timer } = memory.profile
    const classOf = (): number => {
      const startedAt = timer?.start(atom) ?? Number.NaN
      const isHeld = isMatch()
      timer?.stop(atom, startedAt)
      return isHeld ? whenHeld : 0
    }
    return this.#addDomain({ classOf })
  }

  /** The number of a way to name fields. */
  #internNaming({ aliases, ignoresNameCase }: ProgramKey): number {
    const known = this.#namings.findIndex((one) => one.aliases === aliases && one.ignoresNameCase === ignoresNameCase)
    return known === -1 ? this.#namings.push({ aliases, ignoresNameCase }) - 1 : known
  }

  /** What the first of some slots that the current event has holds, as it stands in JSON. */
  #slotBytes(slots: readonly number[]): Uint8Array | undefined {
    for (const slot of slots) {
      const start = this.#kernel.slotStart(slot)
      if (start !== 0) return this.#viewBytes(start, this.#kernel.slotLength(slot))
    }
    return undefined
  }

  /** Keywords are looked for in the line; only where one may be there are its leaves. */
  #getLeafDomain(memory: MatchCache, leaves: FieldAtoms): number {
    const domains = this.#leafDomains.get(memory) ?? new Map<FieldAtoms, number>()
    this.#leafDomains.set(memory, domains)
    const known = domains.get(leaves)
    if (known !== undefined) return known
    const domain = this.#addDomain({
      classOf: (start, length) => memory.classifyLeaves(leaves, collectLeafTexts(readObject(this.#viewBytes(start, length)))),
    })
    const literals = leaves.requirement === undefined ? undefined : extractLineLiterals(leaves.requirement)
    const isFiltered = literals !== undefined && literals.length <= limits.kernelLiteralsMax
    if (isFiltered) this.#kernel.setLineFilter(domain, literals)
    domains.set(leaves, domain)
    return domain
  }

  #addDomain(domain: Domain): number {
    return this.#domains.push(domain) - 1
  }

  #viewBytes(start: number, length: number): Uint8Array {
    return this.#kernel.bytes.subarray(start, start + length)
  }
}
