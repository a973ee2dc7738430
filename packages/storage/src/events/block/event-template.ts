import { isObject } from '@tripline/engine/evaluate'
import type { FieldAliases } from '@tripline/engine/evaluate'
import { limits } from '../../limits.ts'
import { valueMark } from './split-event.ts'

/** How field names of an event are resolved, according to its taxonomy entry. */
export type AliasRules = { readonly aliases: FieldAliases; readonly ignoresNameCase: boolean }

/** Keys that lead to a value through nested objects; they identify its column. */
export type Path = readonly string[]

/** Where the events of a template hold a field. */
export type FieldSource =
  | { readonly kind: 'absent' }
  /** In a column; `rest` are the steps that continue inside its lists. */
  | { readonly kind: 'column'; readonly pathKey: string; readonly rest: readonly string[] }
  /** An object, compared as its JSON text, which only the whole event holds. */
  | { readonly kind: 'object' }
  /** Only the whole event decides. */
  | { readonly kind: 'unsure' }

const absent: FieldSource = { kind: 'absent' }
const object: FieldSource = { kind: 'object' }
const unsure: FieldSource = { kind: 'unsure' }

/**
 * The template of events whose texts differ only in their values (as in log template mining): the text fragments around
 * the values, the path of each value, and the alias rules for names. Events that cannot be split, or whose fields the
 * taxonomy renames, keep their whole text as the first column; their fields, if any, are columns beside it.
 */
export class EventTemplate {
  /** Equal for equal templates of all blocks. */
  readonly key: string
  readonly rules: AliasRules
  /** The text fragments around the values; undefined where the first column is the whole text. */
  readonly fragments: readonly string[] | undefined
  /** The path of each column in order; undefined for the column of whole texts. */
  readonly paths: readonly (Path | undefined)[]
  readonly pathKeys: readonly string[]
  /** Keys of objects without values, which have no column. */
  readonly emptyPaths: readonly Path[]
  readonly #slots: ReadonlyMap<string, number>
  readonly #sources = new Map<string, FieldSource>()

  constructor({ key, rules, fragments, paths, emptyPaths }: EventTemplateParts) {
    this.key = key
    this.rules = rules
    this.fragments = fragments
    this.paths = paths
    this.pathKeys = paths.map(getPathKey)
    this.emptyPaths = emptyPaths
    this.#slots = new Map(this.pathKeys.map((pathKey, slot) => [pathKey, slot]))
  }

  /** The number of a column within the template; -1 if it has none. */
  getSlot(pathKey: string): number {
    return this.#slots.get(pathKey) ?? -1
  }

  /** Whether only the whole text is known. */
  get isOpaque(): boolean {
    return this.fragments === undefined && this.paths.length === 1
  }

  /** Resolves a field as the engine does: by name, then by alias, then ignoring case. */
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
      // A list may lack the remaining steps; then the engine would try the next name.
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
    return this.paths.some(leadsToObject) || this.emptyPaths.some(leadsToObject) ? object : absent
  }

  /** The key that differs only in case; of several, the engine decides which counts. */
  #lookUpVariant(name: string): FieldSource {
    const lower = name.toLowerCase()
    const tops = new Set([...this.paths, ...this.emptyPaths].map((path) => path?.[0] ?? ''))
    const variants = [...tops].filter((top) => top.toLowerCase() === lower && top !== name)
    // Case folding and lower-casing differ only for a few letters, which names hardly have.
    if (variants.length > 1 || /[^\u0000-\u007f]/.test(name + [...tops].join(''))) return unsure
    return variants[0] === undefined ? absent : this.#follow([variants[0]])
  }
}

type EventTemplateParts = {
  readonly key: string
  readonly rules: AliasRules
  readonly fragments: readonly string[] | undefined
  readonly paths: readonly (Path | undefined)[]
  readonly emptyPaths: readonly Path[]
}

function getPathKey(path: Path | undefined): string {
  return path === undefined ? '' : JSON.stringify(path)
}

/** Reads the paths of a template's values; undefined where they are ambiguous because of duplicate keys. */
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
