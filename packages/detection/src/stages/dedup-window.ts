import type { CheckpointChange } from '@tripline/state/ports/checkpoint-store'
import { createHash } from 'node:crypto'
import { limits } from '../limits.ts'

/** How many ids are remembered, and for how long. */
export type DedupWindowBounds = { readonly idsMax: number; readonly windowMs: number; readonly partMax: number }

const defaultBounds: DedupWindowBounds = {
  idsMax: limits.ingest.idsRememberedMax, windowMs: limits.ingest.idsRememberedMs, partMax: limits.pipeline.idsPartMax,
}

/** The state of the generations; the ids themselves are stored in parts. */
export type DedupWindowHeader = { readonly generation: number; readonly newerSince: number }

const emptyHeader: DedupWindowHeader = { generation: 1, newerSince: 0 }

/**
 * A deduplication window: remembers the ids of a tenant's last events for at least `windowMs` or, under load, until
 * `idsMax / 2` newer ids have arrived. It keeps two generations and drops the older when the newer is full or old. Time
 * is the arrival time, so a replay of the same events leaves the same ids. Checkpoints are incremental: a full part is
 * written once, the last part each time.
 */
export class DedupWindow {
  readonly #bounds: DedupWindowBounds
  #newer: Generation
  #older: Generation
  #newerSince: number
  #dropped: string[] = []

  constructor(bounds: DedupWindowBounds = defaultBounds, { generation, newerSince }: DedupWindowHeader = emptyHeader) {
    this.#bounds = bounds
    this.#newer = new Generation(generation)
    this.#older = new Generation(generation - 1)
    this.#newerSince = newerSince
  }

  get header(): DedupWindowHeader {
    return { generation: this.#newer.generation, newerSince: this.#newerSince }
  }

  /** Loads a part of a checkpoint; a part of an expired generation is dropped with the next one. */
  load(name: string, bytes: Uint8Array): void {
    const half = [this.#newer, this.#older].find(({ generation }) => name.startsWith(partPrefix(generation)))
    if (half === undefined) this.#dropped.push(name)
    else half.load(Number(name.slice(partPrefix(half.generation).length)), bytes, this.#bounds.partMax)
  }

  /** Adds an id; returns whether it was new. */
  add(id: string, receivedAt: number): boolean {
    if (this.#newer.ids.has(id) || this.#older.ids.has(id)) return false
    const { idsMax, windowMs, partMax } = this.#bounds
    if (this.#newer.ids.size >= idsMax / 2 || receivedAt - this.#newerSince >= windowMs) {
      this.#dropped.push(...this.#older.names)
      this.#older = this.#newer
      this.#newer = new Generation(this.#older.generation + 1)
      this.#newerSince = receivedAt
    }
    this.#newer.add(id, partMax)
    return true
  }

  /** The changes since the last checkpoint. */
  changes(): Required<CheckpointChange> {
    return { put: new Map([...this.#older.unsaved(), ...this.#newer.unsaved()]), drop: this.#dropped }
  }

  /** Call it once the changes are stored. */
  saved(): void {
    this.#dropped = []
    this.#older.saved()
    this.#newer.saved()
  }
}

/** A long id is replaced by its hash, so that one sender cannot use the memory of others. */
export function shortenId(id: string): string {
  return id.length <= limits.pipeline.idLengthMax ? id : createHash('sha256').update(id).digest('base64')
}

/** The ids of one generation, in the parts in which checkpoints store them. */
class Generation {
  readonly generation: number
  readonly ids = new Set<string>()
  /** Full parts, and the last one, which is not full. */
  readonly #unsaved = new Map<number, readonly string[]>()
  #openNumber = 0
  #open: string[] = []

  constructor(generation: number) {
    this.generation = generation
  }

  /** The names of all its parts. */
  get names(): readonly string[] {
    return Array.from({ length: this.#openNumber + 1 }, (_, number) => this.#nameOf(number))
  }

  add(id: string, partMax: number): void {
    this.ids.add(id)
    this.#open.push(id)
    this.#unsaved.set(this.#openNumber, this.#open)
    this.#goOn(partMax)
  }

  load(number: number, bytes: Uint8Array, partMax: number): void {
    const ids: unknown = JSON.parse(Buffer.from(bytes).toString('utf8'))
    const part = Array.isArray(ids) ? ids.filter((id) => typeof id === 'string') : []
    for (const id of part) this.ids.add(id)
    if (number < this.#openNumber) return
    this.#openNumber = number
    this.#open = part
    this.#goOn(partMax)
  }

  unsaved(): readonly (readonly [name: string, bytes: Uint8Array])[] {
    return [...this.#unsaved].map(([number, ids]) => [this.#nameOf(number), Buffer.from(JSON.stringify(ids), 'utf8')])
  }

  saved(): void {
    this.#unsaved.clear()
  }

  #goOn(partMax: number): void {
    if (this.#open.length < partMax) return
    this.#openNumber++
    this.#open = []
  }

  #nameOf(number: number): string {
    return `${partPrefix(this.generation)}${number}`
  }
}

/** The prefix of part names. */
export const idsPrefix = 'ids '

function partPrefix(generation: number): string {
  return `${idsPrefix}${generation} `
}
