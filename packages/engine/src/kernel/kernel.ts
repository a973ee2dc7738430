import { limits } from '../limits.ts'
import { checkProgram } from './check-program.ts'
import { canInstantiateKernel, instantiateKernel } from './kernel-module.ts'
import type { KernelExports } from './kernel-module.ts'
import { keyCodes } from './key-codes.ts'
import { resolveSizes } from './kernel-sizes.ts'
import type { KernelOptions } from './kernel-sizes.ts'
import type { KernelNeedle } from './needle-entries.ts'
import { getNeedleLayout } from './needle-layout.ts'
import { buildTeddyFilter } from './teddy-filter.ts'

const lineFeed = 0x0a
/** Readable bytes around the input, whose content is ignored: the module reads 16 at a time. */
const paddingSize = 64

/**
 * The host's decisions. The kernel caches them, so they must be pure functions. `start` is a position in `kernel.bytes`,
 * except for lines, where it is one in the bytes that are run; lengths are in bytes.
 */
export type KernelCallbacks = {
  /** The code of a key: a slot, or one of `keyCodes`. The bytes are the raw ones between the quotes. */
  readonly keyCode: (start: number, length: number) => number
  /** The equivalence class of a raw value, a string with its quotes, or of a line; 0 if no rule depends on it. */
  readonly classOf: (domain: number, start: number, length: number) => number
  /**
   * The class of a value, given the needles of the domain that it contains, in an order that depends on the value alone.
   * The kernel reuses it for all values with the same list; return its complement if they may have another class.
   */
  readonly classOfFound: (domain: number, start: number, length: number, found: NumberSlice) => number
  /**
   * The result of a signature: of the classes, none of them 0, that an event has in a section, in the order of the
   * fields; 0 for none. In program 0 it is the program to run, or 0 for a slow line.
   */
  readonly resultOf: (section: number, classes: NumberSlice) => number
  /** Receives a result other than 0. */
  readonly found: (line: number, start: number, length: number, section: number, result: number) => void
  /** Receives a line that the kernel cannot match: it is no flat event, or there is no program for it. */
  readonly slowLine: (line: number, start: number, length: number) => void
}

/** The first `count` of `numbers`; valid until the next call of the kernel. */
export type NumberSlice = { readonly numbers: ArrayLike<number>; readonly count: number }

/** Counters of a kernel since its creation. */
export type KernelCounts = {
  readonly blankLines: number
  readonly keyMisses: number
  readonly keysForgotten: number
  readonly valueHits: number
  readonly valueMisses: number
  readonly valuesForgotten: number
  readonly foundMisses: number
  readonly foundForgotten: number
  readonly signatureMisses: number
  readonly signaturesForgotten: number
}

/**
 * Matches lines of JSON in WebAssembly without creating strings: it parses flat events and memoizes the host's decisions
 * by the raw bytes of keys and values. Programs, which the host supplies, list the fields of an event's signature.
 *
 * During a run the host may set programs, line filters and needles, and find needles, but it may neither run lines nor
 * clear the caches. An error that it throws ends the run; the kernel stays usable.
 */
export class Kernel {
  readonly #host: KernelCallbacks
  readonly #exports: KernelExports
  readonly #sizes: Required<KernelOptions>
  readonly #inputStart: number
  /** The address of each program, and the number of words that fit there. */
  readonly #programs = new Map<number, { readonly address: number; readonly wordCount: number }>()
  /** The address of the layout of a list of needles: domains may share it. */
  readonly #needleLayouts = new WeakMap<readonly KernelNeedle[], number>()
  #bytes: Uint8Array
  /** Reused views of the needles found in a value and of the classes of a signature. */
  readonly #found = createSlice()
  readonly #classes = createSlice()
  #isRunning = false
  /** The difference between a position in the bytes that are run and its address in the input. */
  #offset = 0

  /** Whether this platform can run the kernel: it has WebAssembly with SIMD and allows its use. */
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
    if (exports === undefined) throw new Error('the kernel needs WebAssembly with SIMD, which this platform lacks')
    this.#exports = exports
    const { inputBytes, keyCount, keyBytes, valueCount, valueBytes, needleListCount } = this.#sizes
    const { signatureCount, slotCount, programCount, domainCount } = this.#sizes
    exports.configure(
      keyCount, keyBytes, valueCount, valueBytes, needleListCount, signatureCount, slotCount, programCount, domainCount, inputBytes,
    )
    this.#inputStart = exports.allocate(inputBytes + 2 * paddingSize) + paddingSize
    this.#bytes = new Uint8Array(exports.memory.buffer)
  }

  /** The kernel's memory, from which the host reads keys and values. Memory growth replaces the array. */
  get bytes(): Uint8Array {
    if (this.#bytes.buffer !== this.#exports.memory.buffer) this.#bytes = new Uint8Array(this.#exports.memory.buffer)
    return this.#bytes
  }

  /** A buffer in the kernel's memory, with its position, for a value to be searched by `findNeedles` between runs. */
  get input(): { readonly start: number; readonly bytes: Uint8Array } {
    const start = this.#inputStart
    return { start, bytes: this.bytes.subarray(start, start + this.#sizes.inputBytes) }
  }

  /** The number of events that ran each program; the caller may reset entries to 0. */
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
      signatureMisses: this.#exports.walkMisses.value,
      signaturesForgotten: this.#exports.walksForgotten.value,
    }
  }

  /**
   * Sets a program; program 0 routes events to the others and has one section. A section consists of its id, its count of
   * fields, and for each field a domain, one of `fieldKinds`, its count of slots, and the slots, of which the first that
   * the event fills is used.
   */
  setProgram(number: number, words: Int32Array): void {
    requireBelow('a program', number, this.#sizes.programCount)
    const sectionCount = checkProgram(words, this.#sizes)
    if (number === 0 && sectionCount !== 1) {
      throw new RangeError(`program 0 has ${sectionCount} sections, it must have one`)
    }
    const old = this.#programs.get(number)
    // A running program must not change.
    const isReused = old !== undefined && old.wordCount >= words.length && !this.#isRunning
    const { address, wordCount } = isReused
      ? old
      : { address: this.#exports.allocate(4 * words.length + 4), wordCount: words.length }
    new Int32Array(this.bytes.buffer, address, words.length + 1).set([words.length, ...words])
    this.#programs.set(number, { address, wordCount })
    this.#exports.setProgram(number, address)
  }

  /**
   * Sets a domain's line filter: only lines that contain one of these literals, case ignored, are classified by the host.
   * Lines that may write one in another way always are: those with a Kelvin sign, which folds to k, with the escape `\/`,
   * or with a `\u` escape of that sign or of a printable ASCII character. Without a filter every line is.
   */
  setLineFilter(domain: number, literals: readonly Uint8Array[]): void {
    requireBelow('a domain', domain, this.#sizes.domainCount)
    const layout = buildTeddyFilter(literals)
    const address = this.#exports.allocate(layout.length)
    this.bytes.set(layout, address)
    this.#exports.setFilter(domain, address)
  }

  /**
   * Sets the needles that are searched in the values of a domain. Domains with the same list share its layout, which is
   * never freed.
   */
  setNeedles(domain: number, needles: readonly KernelNeedle[]): void {
    requireBelow('a domain', domain, this.#sizes.domainCount)
    const address = this.#needleLayouts.get(needles) ?? this.#storeNeedles(needles)
    this.#exports.setNeedles(domain, address)
  }

  /**
   * The needles of a domain that a value contains, case ignored, unordered and each once; valid until the next call.
   * Undefined if the value is no string or not ASCII, if the domain has no needles, or if numbers are searched and the
   * value may be a number in another notation than plain digits.
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

  /** Makes a view of `count` numbers at an address. */
  #viewNumbers(view: MutableSlice, at: number, count: number): NumberSlice {
    const { buffer } = this.#exports.memory
    if (view.numbers.buffer !== buffer || view.numbers.byteOffset !== at) view.numbers = new Int32Array(buffer, at)
    view.count = count
    return view
  }

  #storeNeedles(needles: readonly KernelNeedle[]): number {
    if (needles.length > limits.kernelNeedlesMax) {
      throw new RangeError(`a domain has ${needles.length} needles; at most ${limits.kernelNeedlesMax} are allowed`)
    }
    const layout = getNeedleLayout(needles).value
    const address = this.#exports.allocate(layout.length)
    this.bytes.set(layout, address)
    this.#needleLayouts.set(needles, address)
    return address
  }

  /** Runs lines of JSON, numbered from 0, and returns their count. The last one may lack its line feed. */
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

  /** Clears all caches of the host's decisions. */
  clear(): void {
    this.#begin()
    this.#exports.forget()
    this.#isRunning = false
  }

  /** The position in `bytes` of the value in a slot of the current event; 0 if the event has none. */
  slotStart(slot: number): number {
    requireBelow('a slot', slot, this.#sizes.slotCount)
    return this.#exports.slotStart(slot)
  }

  /** The length of the value in a slot of the current event, in bytes; 0 if the event has none. */
  slotLength(slot: number): number {
    requireBelow('a slot', slot, this.#sizes.slotCount)
    return this.#exports.slotLength(slot)
  }

  #begin(): void {
    if (this.#isRunning) throw new Error('the kernel is running lines: call run and clear only between runs')
    this.#isRunning = true
  }

  #runChunk(bytes: Uint8Array, start: number, end: number, line: number): number {
    const memory = this.bytes
    const inputEnd = this.#inputStart + end - start
    memory.set(start === 0 && end === bytes.length ? bytes : bytes.subarray(start, end), this.#inputStart)
    // Ends the last line; ignored after a line feed.
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

/** A view of the kernel's memory, reused between calls: creating one costs more than reading it. */
type MutableSlice = { numbers: Int32Array; count: number }

function createSlice(): MutableSlice {
  return { numbers: new Int32Array(), count: 0 }
}

/** The end of the lines that fit into the input, or of the first line if that does not fit. */
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
  throw new RangeError(`${number} is not ${what} of this kernel; it must be an integer from 0 to ${bound - 1}`)
}
