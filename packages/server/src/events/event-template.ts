import { isObject } from '@tripline/engine/evaluate'
import type { FieldAliases } from '@tripline/engine/evaluate'
import { limits } from '../limits.ts'
import { valueMark } from './split-event.ts'

/** How the names of an event's fields are looked up: what its kind, as the taxonomy tells it, says of that. */
export type AliasRules = { readonly aliases: FieldAliases; readonly ignoresNameCase: boolean }

/** Keys that lead to a value through nested objects; its column is known by them. */
export type Path = readonly string[]

/** Where a field of an event of some shape is. */
export type FieldSource =
  | { readonly kind: 'absent' }
  /** In a column; `rest` are steps that go on inside of its lists. */
  | { readonly kind: 'column'; readonly pathKey: string; readonly rest: readonly string[] }
  /** Not to be told without the whole event. */
  | { readonly kind: 'unsure' }

/**
 * What events have in common whose texts differ in their values only: the text around the values, where the
 * values belong, and how names are looked up. Events that cannot be split, or whose fields the taxonomy renames,
 * keep their whole text as their first value; their fields, if they have any, are columns beside it.
 */
export class EventTemplate {
  /** The same for equal shapes, of whatever block. */
  readonly key: string
  readonly rules: AliasRules
  /** The text around the values; undefined where the first column is the whole text. */
  readonly pieces: readonly string[] | undefined
  /** Of each column in order; undefined is the column of whole texts. */
  readonly paths: readonly (Path | undefined)[]
  readonly pathKeys: readonly string[]
  /** Keys that hold an object without any value in it, which no column has. */
  readonly emptyPaths: readonly Path[]
  readonly #slots: ReadonlyMap<string, number>
  readonly #sources = new Map<string, FieldSource>()

  constructor({ key, rules, pieces, paths, emptyPaths }: EventTemplateParts) {
    this.key = key
    this.rules = rules
    this.pieces = pieces
    this.paths = paths
    this.pathKeys = paths.map(getPathKey)
    this.emptyPaths = emptyPaths
    this.#slots = new Map(this.pathKeys.map((pathKey, slot) => [pathKey, slot]))
  }

  /** The number of a column among those of the shape; -1 where the shape does not have it. */
  getSlot(pathKey: string): number {
    return this.#slots.get(pathKey) ?? -1
  }

  /** Whether nothing is known but the whole text. */
  get isOpaque(): boolean {
    return this.pieces === undefined && this.paths.length === 1
  }

  /** Finds a field as the engine does: under its own name, under its other names, then without regard to case. */
  findSource(name: string): FieldSource {
    const known = this.#sources.get(name)
    if (known !== undefined) return known
    const source = this.#find(name)
    if (this.#sources.size >= limits.events.knownNamesMax) this.#sources.clear()
    this.#sources.set(name, source)
    return source
  }

  #find(name: string): FieldSource {
    if (this.isOpaque) return unsure
    const names = [name, ...(this.rules.aliases.get(name) ?? [])]
    for (const [i, candidate] of names.entries()) {
      const source = this.#lookUp(candidate)
      // A list may have nothing at the end of the steps; then the next name would be asked.
      const mayBeAbsent = source.kind === 'column' && source.rest.length > 0
      const isLast = i === names.length - 1 && !this.rules.ignoresNameCase
      if (mayBeAbsent && !isLast) return unsure
      if (source.kind !== 'absent') return source
    }
    return this.rules.ignoresNameCase ? this.#lookUpVariant(name) : absent
  }

  #lookUp(name: string): FieldSource {
    const whole = this.#follow([name])
    return whole.kind === 'absent' && name.includes('.') ? this.#follow(name.split('.')) : whole
  }

  #follow(steps: Path): FieldSource {
    for (let length = steps.length; length > 0; length--) {
      const pathKey = getPathKey(steps.slice(0, length))
      if (this.#slots.has(pathKey)) return { kind: 'column', pathKey, rest: steps.slice(length) }
    }
    // An object is compared as its JSON text.
    const leadsToObject = (path: Path | undefined) => path !== undefined && steps.every((step, i) => path[i] === step)
    return this.paths.some(leadsToObject) || this.emptyPaths.some(leadsToObject) ? unsure : absent
  }

  /** The key that differs in its case only; which of several counts, the engine knows. */
  #lookUpVariant(name: string): FieldSource {
    const lower = name.toLowerCase()
    const tops = new Set([...this.paths, ...this.emptyPaths].map((path) => path?.[0] ?? ''))
    const variants = [...tops].filter((top) => top.toLowerCase() === lower && top !== name)
    // Case folding and lower case differ in a few letters that names hardly have.
    if (variants.length > 1 || /[^\u0000-\u007f]/.test(name + [...tops].join(''))) return unsure
    return variants[0] === undefined ? absent : this.#follow([variants[0]])
  }
}

export type EventTemplateParts = {
  readonly key: string
  readonly rules: AliasRules
  readonly pieces: readonly string[] | undefined
  readonly paths: readonly (Path | undefined)[]
  readonly emptyPaths: readonly Path[]
}

function getPathKey(path: Path | undefined): string {
  return path === undefined ? '' : JSON.stringify(path)
}

/**
 * Reads where the values of a template belong; undefined where it does not tell: with keys that stand twice in
 * one object.
 */
export function parseTemplatePaths(template: string): { paths: Path[]; emptyPaths: Path[] } | undefined {
  const pieces = template.split(valueMark)
  const slotCount = pieces.length - 1
  const numbered = pieces.map((piece, i) => (i === slotCount ? piece : `${piece}${i}`)).join('')
  const paths: Path[] = []
  const emptyPaths: Path[] = []
  const open: { readonly value: unknown; readonly path: Path }[] = [
    { value: JSON.parse(Buffer.from(numbered, 'latin1').toString('utf8')), path: [] },
  ]
  let foundCount = 0
  for (let top = open.pop(); top !== undefined; top = open.pop()) {
    const { value, path } = top
    if (typeof value === 'number') {
      paths[value] = path
      foundCount++
    } else if (isObject(value)) {
      const keys = Object.keys(value)
      if (keys.length === 0 && path.length > 0) emptyPaths.push(path)
      for (const key of keys) open.push({ value: value[key], path: [...path, key] })
    }
  }
  return foundCount === slotCount ? { paths, emptyPaths } : undefined
}

const absent: FieldSource = { kind: 'absent' }
const unsure: FieldSource = { kind: 'unsure' }
