import { limits } from '../limits.ts'
import { checkProgram } from './check-program.ts'
import { canInstantiateKernel, instantiateKernel } from './kernel-module.ts'
import type { KernelExports } from './kernel-module.ts'
import { resolveSizes } from './kernel-sizes.ts'
import type { KernelOptions } from './kernel-sizes.ts'
import type { KernelNeedle } from './needle-entries.ts'
import { getNeedleLayout } from './needle-layout.ts'
import { buildTeddyFilter } from './teddy-filter.ts'

const lineFeed = 0x0a
/** Bytes around the input that may be read and mean nothing: the module reads 16 at a time. */
const paddingSize = 64

/** Codes of keys that have no slot. */
export const keyCodes = {
  /** The value is checked and forgotten. */
  irrelevant: -1,
  /** The whole line is slow. */
  slow: -2,
} as const

/**
 * What decides for a kernel; it remembers the answers, so equal questions must have equal answers. `start` is
 * a place in `kernel.bytes`, a line's `start` one in the bytes that are run; lengths are in bytes.
 */
export type KernelCallbacks = {
  /** What a key is: a slot, or one of `keyCodes`. The bytes are those between the quotes, as written. */
  readonly keyCode: (start: number, length: number) => number
  /** The class of a value as written, a string with its quotes, or of a line; 0 when it matters nothing. */
  readonly classOf: (domain: number, start: number, length: number) => number
  /**
   * The class of a value, given the needles of the domain that stand in it, in an order that follows from the value.
   * Remembered for all values in which these are found in this order; answered as its complement where others may
   * have another.
   */
  readonly classOfFound: (domain: number, start: number, length: number, found: NumberSlice) => number
  /**
   * What it means that an event met some classes in a section, in the order of its fields and none of them 0; 0 for
   * nothing. In program 0, the program to run, or 0 for a slow line.
   */
  readonly resultOf: (section: number, classes: NumberSlice) => number
  /** Takes the result of a section that is not 0. */
  readonly found: (line: number, start: number, length: number, section: number, result: number) => void
  /** Takes a line that the kernel does not judge: no flat event, or none that it has a program for. */
  readonly slowLine: (line: number, start: number, length: number) => void
}

/** The first so many of some numbers; whatever the kernel does next may change them. */
export type NumberSlice = { readonly numbers: ArrayLike<number>; readonly count: number }

/** What a kernel has done since it was made. */
export type KernelCounts = {
  readonly blankLines: number
  readonly keyMisses: number
  readonly keysForgotten: number
  readonly valueHits: number
  readonly valueMisses: number
  readonly valuesForgotten: number
  readonly foundMisses: number
  readonly foundForgotten: number
  readonly walkMisses: number
  readonly walksForgotten: number
}

/**
 * Reads lines of JSON without making strings, and remembers for the raw bytes of keys and values what a host
 * answered about them. Programs, which the host writes, say which values of an event are met in which order.
 *
 * The host may set programs, line filters and needles, and find needles, while lines are run, but neither run
 * lines nor forget. What it throws ends the run; the kernel can be used on.
 */
export class Kernel {
  readonly #host: KernelCallbacks
  readonly #exports: KernelExports
  readonly #sizes: Required<KernelOptions>
  readonly #inputStart: number
  /** Where the words of each program are, and how many words have room there. */
  readonly #programs = new Map<number, { readonly address: number; readonly wordCount: number }>()
  /** Where needles are laid out: domains may share them. */
  readonly #needleLayouts = new WeakMap<readonly KernelNeedle[], number>()
  #bytes: Uint8Array
  /** What was found in a value, and the classes of a walk. */
  readonly #found = createSlice()
  readonly #classes = createSlice()
  #isRunning = false
  /** What is to be added to an address of the input to get a place in the bytes that are run. */
  #offset = 0

  /** Whether this platform runs the kernel: there is WebAssembly, with instructions for 16 bytes, and it is allowed. */
  static get isAvailable(): boolean {
    return canInstantiateKernel()
  }

  constructor(host: KernelCallbacks, options: KernelOptions = {}) {
    this.#host = host
    this.#sizes = resolveSizes(options)
    const exports = instantiateKernel({
      keyCode: (start = 0, length = 0) => this.#getKeyCode(start, length),
      classOf: (domain = 0, start = 0, length = 0) => host.classOf(domain, start, length),
      classOfFound: (domain = 0, start = 0, length = 0, count = 0) =>
        host.classOfFound(domain, start, length, this.#viewFoundNeedles(count)),
      resultOf: (section = 0, at = 0, count = 0) => host.resultOf(section, this.#viewNumbers(this.#classes, at, count)),
      found: (line = 0, start = 0, length = 0, section = 0, result = 0) =>
        host.found(line, start + this.#offset, length, section, result),
      slowLine: (line = 0, start = 0, length = 0) => host.slowLine(line, start + this.#offset, length),
    })
    if (exports === undefined) throw new Error('the kernel needs WebAssembly, which is not available here')
    this.#exports = exports
    const { inputBytes, keyCount, keyBytes, valueCount, valueBytes, foundCount } = this.#sizes
    const { walkCount, slotCount, programCount, domainCount } = this.#sizes
    exports.configure(
      keyCount, keyBytes, valueCount, valueBytes, foundCount, walkCount, slotCount, programCount, domainCount, inputBytes,
    )
    this.#inputStart = exports.allocate(inputBytes + 2 * paddingSize) + paddingSize
    this.#bytes = new Uint8Array(exports.memory.buffer)
  }

  /** The kernel's memory, in which the host reads what it is asked about. Setting a program makes it another one. */
  get bytes(): Uint8Array {
    if (this.#bytes.buffer !== this.#exports.memory.buffer) this.#bytes = new Uint8Array(this.#exports.memory.buffer)
    return this.#bytes
  }

  /** Where a value may be written for `findNeedles`, between runs: a view of the memory, and where it begins there. */
  get input(): { readonly start: number; readonly bytes: Uint8Array } {
    const start = this.#inputStart
    return { start, bytes: this.bytes.subarray(start, start + this.#sizes.inputBytes) }
  }

  /** How many events ran each program, by its number; whoever reads them may set them to 0. */
  get eventCounts(): Float64Array {
    return new Float64Array(this.bytes.buffer, this.#exports.eventCounts.value, this.#sizes.programCount)
  }

  get counts(): KernelCounts {
    const { blankLines, keyMisses, keysForgotten, valueHits, valueMisses, valuesForgotten } = this.#exports
    return {
      blankLines: blankLines.value,
      keyMisses: keyMisses.value,
      keysForgotten: keysForgotten.value,
      valueHits: valueHits.value,
      valueMisses: valueMisses.value,
      valuesForgotten: valuesForgotten.value,
      foundMisses: this.#exports.foundMisses.value,
      foundForgotten: this.#exports.foundForgotten.value,
      walkMisses: this.#exports.walkMisses.value,
      walksForgotten: this.#exports.walksForgotten.value,
    }
  }

  /**
   * Sets what is done with events that are routed to a program; program 0 routes and has one section. A
   * section is what it is called, its count of fields, and for each field a domain, one of `fieldKinds`, its
   * count of slots and the slots, of which the first that an event has counts.
   */
  setProgram(number: number, words: Int32Array): void {
    requireBelow('a program', number, this.#sizes.programCount)
    const sectionCount = checkProgram(words, this.#sizes)
    if (number === 0 && sectionCount !== 1) {
      throw new RangeError(`program 0 has ${sectionCount} sections, it must have one`)
    }
    const old = this.#programs.get(number)
    // A program that is being run keeps its words.
    const isReused = old !== undefined && old.wordCount >= words.length && !this.#isRunning
    const { address, wordCount } = isReused
      ? old
      : { address: this.#exports.allocate(4 * words.length + 4), wordCount: words.length }
    new Int32Array(this.bytes.buffer, address, words.length + 1).set([words.length, ...words])
    this.#programs.set(number, { address, wordCount })
    this.#exports.setProgram(number, address)
  }

  /**
   * Says which literals a line must hold, in any case, for the host to be asked for its class in a domain; it
   * is always asked about lines that may write one otherwise: with a kelvin sign, which folds to k, with the
   * escape `\/`, or with a `\u` of that sign or of a printable ASCII character. Without a filter it is asked
   * about every line.
   */
  setLineFilter(domain: number, literals: readonly Uint8Array[]): void {
    requireBelow('a domain', domain, this.#sizes.domainCount)
    const layout = buildTeddyFilter(literals)
    const address = this.#exports.allocate(layout.length)
    this.bytes.set(layout, address)
    this.#exports.setFilter(domain, address)
  }

  /**
   * Says what is to be looked for in the values of a domain. Domains that are given the same list share what
   * is kept of it, which is for good.
   */
  setNeedles(domain: number, needles: readonly KernelNeedle[]): void {
    requireBelow('a domain', domain, this.#sizes.domainCount)
    const address = this.#needleLayouts.get(needles) ?? this.#storeNeedles(needles)
    this.#exports.setNeedles(domain, address)
  }

  /**
   * The needles of a domain that stand in a value, in any case and any order, each once; whatever the kernel does next
   * may change them. Undefined where the value is no string, where a character of it is not ASCII, where the domain
   * has no needles, and where a number is looked for and the value may be one that is not written as digits alone.
   */
  findNeedles(domain: number, start: number, length: number): NumberSlice | undefined {
    requireBelow('a domain', domain, this.#sizes.domainCount)
    const count = this.#exports.findNeedles(domain, start, length)
    if (count < 0) return undefined
    return this.#viewFoundNeedles(count)
  }

  #viewFoundNeedles(count: number): NumberSlice {
    return this.#viewNumbers(this.#found, this.#exports.foundNeedles.value, count)
  }

  /** Shows numbers of the memory, from an address on. */
  #viewNumbers(view: MutableSlice, at: number, count: number): NumberSlice {
    const { buffer } = this.#exports.memory
    if (view.numbers.buffer !== buffer || view.numbers.byteOffset !== at) view.numbers = new Int32Array(buffer, at)
    view.count = count
    return view
  }

  #storeNeedles(needles: readonly KernelNeedle[]): number {
    if (needles.length > limits.kernelNeedlesMax) {
      throw new RangeError(`a domain has ${needles.length} needles; ${limits.kernelNeedlesMax} are the most`)
    }
    const layout = getNeedleLayout(needles)
    const address = this.#exports.allocate(layout.length)
    this.bytes.set(layout, address)
    this.#needleLayouts.set(needles, address)
    return address
  }

  /** Runs lines of JSON, numbered from 0, and answers how many there were. The last one need not end. */
  run(bytes: Uint8Array): number {
    this.#begin()
    try {
      let line = 0
      for (let start = 0; start < bytes.length;) {
        const end = findChunkEnd(bytes, start, this.#sizes.inputBytes)
        if (end - start <= this.#sizes.inputBytes) {
          line = this.#runChunk(bytes, start, end, line)
        } else {
          this.#host.slowLine(line, start, end - start - (bytes[end - 1] === lineFeed ? 1 : 0))
          line += 1
        }
        start = end
      }
      return line
    } finally {
      this.#isRunning = false
    }
  }

  /** Forgets all answers of the host, which will be asked again. */
  clear(): void {
    this.#begin()
    this.#exports.forget()
    this.#isRunning = false
  }

  /** Where the value in a slot of the current event begins, in `bytes`; 0 when the event has none. */
  slotStart(slot: number): number {
    requireBelow('a slot', slot, this.#sizes.slotCount)
    return this.#exports.slotStart(slot)
  }

  /** The length of the value in a slot of the current event, in bytes; 0 when the event has none. */
  slotLength(slot: number): number {
    requireBelow('a slot', slot, this.#sizes.slotCount)
    return this.#exports.slotLength(slot)
  }

  #begin(): void {
    if (this.#isRunning) throw new Error('the kernel is running lines: its host may not make it run or forget')
    this.#isRunning = true
  }

  #runChunk(bytes: Uint8Array, start: number, end: number, line: number): number {
    const memory = this.bytes
    const inputEnd = this.#inputStart + end - start
    memory.set(start === 0 && end === bytes.length ? bytes : bytes.subarray(start, end), this.#inputStart)
    // Ends the last line, and means nothing after a line feed.
    memory[inputEnd] = lineFeed
    this.#offset = start - this.#inputStart
    return this.#exports.run(this.#inputStart, inputEnd, line)
  }

  #getKeyCode(start: number, length: number): number {
    const code = this.#host.keyCode(start, length)
    if (code !== keyCodes.irrelevant && code !== keyCodes.slow) requireBelow('a slot', code, this.#sizes.slotCount)
    return code
  }
}

/** Numbers of the memory. There are two for all questions: a view for each would be dearer than what it shows. */
type MutableSlice = { numbers: Int32Array; count: number }

function createSlice(): MutableSlice {
  return { numbers: new Int32Array(), count: 0 }
}

/** Where the lines that fit into the input end, or the first line when it does not fit. */
function findChunkEnd(bytes: Uint8Array, start: number, inputBytes: number): number {
  const end = start + inputBytes
  if (end >= bytes.length) return bytes.length
  const last = bytes.lastIndexOf(lineFeed, end - 1)
  if (last >= start) return last + 1
  const next = bytes.indexOf(lineFeed, end)
  return next === -1 ? bytes.length : next + 1
}

function requireBelow(what: string, number: number, bound: number): void {
  if (Number.isInteger(number) && number >= 0 && number < bound) return
  throw new RangeError(`${number} is not ${what} of this kernel, which are below ${bound}`)
}
