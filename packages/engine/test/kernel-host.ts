import { Kernel } from '../src/kernel/kernel.ts'
import { keyCodes } from '../src/kernel/key-codes.ts'
import type { KernelCallbacks, NumberSlice as ShownNumbers } from '../src/kernel/kernel.ts'
import type { KernelOptions } from '../src/kernel/kernel-sizes.ts'

/** The result of a kernel for a line: the domains and raw values of its fields, or `slow`. */
export type Outcome = { readonly line: number; readonly text: string; readonly values: 'slow' | readonly unknown[] }

/** The sections of the programs. */
const routing = 1

export const matching = 2

/**
 * A kernel with a host that records traces: each distinct field value is a class, and the result of a section is the
 * list of its classes, which shows all that the kernel parsed.
 * Fields are keys of one letter, `a` in domain 1 and so on; `slow` is a slow key, others are irrelevant.
 */
export class TracingKernel {
  readonly kernel: Kernel
  readonly questions = { keys: 0, classes: 0, results: 0 }
  readonly #fields: readonly string[]
  readonly #classes = new Numbers()
  readonly #walks = new Numbers()
  #input = new Uint8Array()
  #outcomes: Outcome[] = []

  constructor(fields: readonly string[], options: KernelOptions = {}) {
    this.#fields = fields
    this.kernel = new Kernel(this.#host(), { slotCount: 16, domainCount: 32, programCount: 4, ...options })
    this.kernel.setProgram(0, Int32Array.of(routing, 0))
    this.kernel.setProgram(1, Int32Array.of(matching, fields.length, ...fields.flatMap((_, slot) => [slot + 1, 0, 1, slot])))
  }

  /** Runs lines and returns the result of each non-blank line. */
  run(bytes: Uint8Array): { readonly lineCount: number; readonly outcomes: readonly Outcome[] } {
    this.#input = Uint8Array.from(bytes)
    this.#outcomes = []
    const lineCount = this.kernel.run(this.#input)
    return { lineCount, outcomes: this.#outcomes }
  }

  #host(): KernelCallbacks {
    return {
      keyCode: (start, length) => {
        this.questions.keys += 1
        const key = JSON.parse(`"${this.#textAt(start, length)}"`) as string
        if (key === 'slow') return keyCodes.slow
        const slot = this.#fields.indexOf(key)
        return slot === -1 ? keyCodes.irrelevant : slot
      },
      classOf: (domain, start, length) => {
        this.questions.classes += 1
        return this.#classes.of(JSON.stringify([domain, this.#textAt(start, length)]))
      },
      classOfFound: () => {
        throw new Error('nobody told the kernel what to look for')
      },
      resultOf: (section, classes) => {
        this.questions.results += 1
        return section === routing ? 1 : this.#walks.of(JSON.stringify(listOf(classes)))
      },
      found: (line, start, length, section, result) => {
        const classes = JSON.parse(this.#walks.at(result)) as number[]
        const values = classes.map((cls) => JSON.parse(this.#classes.at(cls)) as unknown)
        this.#outcomes.push({ line, text: this.#lineAt(start, length), values: section === 0 ? values : [section] })
      },
      slowLine: (line, start, length) => {
        this.#outcomes.push({ line, text: this.#lineAt(start, length), values: 'slow' })
      },
    }
  }

  #textAt(start: number, length: number): string {
    return decode(this.kernel.bytes.subarray(start, start + length))
  }

  #lineAt(start: number, length: number): string {
    return decode(this.#input.subarray(start, start + length))
  }
}

/** Copies a view of kernel memory. */
export function listOf({ numbers, count }: ShownNumbers): number[] {
  return Array.from({ length: count }, (_, place) => numbers[place]!)
}

/** Decodes UTF-8 as the engine does. */
export function decode(bytes: Uint8Array): string {
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes)
}

/** Numbers texts from 1 in order of appearance. */
class Numbers {
  readonly #texts: string[] = ['']
  readonly #numbers = new Map<string, number>()

  of(text: string): number {
    const known = this.#numbers.get(text)
    if (known !== undefined) return known
    this.#numbers.set(text, this.#texts.length)
    return this.#texts.push(text) - 1
  }

  at(number: number): string {
    const text = this.#texts[number]
    if (text === undefined) throw new Error(`nobody gave out the number ${number}`)
    return text
  }
}
