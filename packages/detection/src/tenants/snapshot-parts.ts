import { isJsonObject } from '@tripline/common/json'
import type { TenantId } from '@tripline/model/tenant'
import type { CheckpointChange, CheckpointStore } from '@tripline/state/ports/checkpoint-store'
import { setImmediate as othersFirst } from 'node:timers/promises'
import { limits } from '../limits.ts'

/** Whose snapshot it is. */
type SnapshotOwner = { readonly tenant: TenantId; readonly stage: string }

/** Names the parts that hold the snapshot: of two sets of parts, which one, and the number of parts in each. */
export type SnapshotHeader = { readonly current: number; readonly counts: readonly [number, number] }

const legacyPart = 'engine'

/**
 * The parts of a checkpoint that hold an engine's snapshot: double-buffered. A large snapshot is written part by part ahead
 * of the checkpoint that names it, into the set of parts that the last one does not name, so that no transaction is long
 * and a crash in between leaves a whole snapshot.
 */
export class SnapshotParts {
  readonly #owner: SnapshotOwner
  #header: SnapshotHeader
  #isLegacy: boolean
  /** The set that the next checkpoint names, and its last part, which is stored with the checkpoint. */
  #next: { readonly header: SnapshotHeader; readonly last: Uint8Array } | undefined

  private constructor(owner: SnapshotOwner, header: SnapshotHeader, isLegacy: boolean) {
    this.#owner = owner
    this.#header = header
    this.#isLegacy = isLegacy
  }

  /** Continues from a checkpoint, and returns its snapshot; one of an earlier version is a single part. */
  static async load(
    checkpoints: CheckpointStore, owner: SnapshotOwner, header: SnapshotHeader | undefined,
  ): Promise<{ readonly parts: SnapshotParts; readonly snapshot: Uint8Array | undefined }> {
    const { tenant, stage } = owner
    if (header === undefined) {
      const snapshot = await checkpoints.load(tenant, stage, legacyPart)
      return { parts: new SnapshotParts(owner, { current: 1, counts: [0, 0] }, snapshot !== undefined), snapshot }
    }
    const read: Uint8Array[] = []
    for (let part = 0; part < header.counts[header.current]!; part++) {
      const name = getPartName(header.current, part)
      const bytes = await checkpoints.load(tenant, stage, name)
      if (bytes === undefined) throw new Error(`the checkpoint of stage ${stage} lacks its part '${name}'`)
      read.push(bytes)
      await othersFirst()
    }
    // Of the other set there may be more: a crash can come before a checkpoint names them.
    const names = new Set(await checkpoints.parts(tenant, stage))
    const counts = [0, 1].map((set) => countParts(names, set))
    const found: SnapshotHeader = { current: header.current, counts: [counts[0]!, counts[1]!] }
    return { parts: new SnapshotParts(owner, found, false), snapshot: Buffer.concat(read) }
  }

  /** Writes a snapshot but for its last part, which `changes` contains. Yields to others between chunks. */
  async write(checkpoints: CheckpointStore, chunks: Iterable<Uint8Array>): Promise<void> {
    const { tenant, stage } = this.#owner
    const next = 1 - this.#header.current
    const countBefore = this.#header.counts[next]!
    let count = 0
    let [waiting, waitingBytes]: [Uint8Array[], number] = [[], 0]
    for (const chunk of chunks) {
      if (waitingBytes + chunk.length > limits.pipeline.snapshotPartBytes && waitingBytes > 0) {
        await checkpoints.save(tenant, stage, { put: new Map([[getPartName(next, count++), Buffer.concat(waiting)]]) });
        [waiting, waitingBytes] = [[], 0]
      }
      waiting.push(chunk)
      waitingBytes += chunk.length
      if (chunk.length >= limits.pipeline.turnBytesMax / 4) await othersFirst()
    }
    for (let part = count + 1; part < countBefore; part++) {
      await checkpoints.save(tenant, stage, { put: new Map(), drop: [getPartName(next, part)] })
      await othersFirst()
    }
    const counts: [number, number] = [...this.#header.counts]
    counts[next] = count + 1
    this.#next = { header: { current: next, counts }, last: Buffer.concat(waiting) }
  }

  /** The header and the changes for a checkpoint with the snapshot that was written. */
  changes(): CheckpointChange & { readonly header: SnapshotHeader } {
    if (this.#next === undefined) throw new Error('no snapshot is written')
    const { header, last } = this.#next
    const put = new Map([[getPartName(header.current, header.counts[header.current]! - 1), last]])
    return { header, put, drop: this.#isLegacy ? [legacyPart] : [] }
  }

  /** Call it once the changes are stored. */
  saved(): void {
    if (this.#next === undefined) return
    this.#header = this.#next.header
    this.#next = undefined
    this.#isLegacy = false
  }
}

/** Reads a header; undefined for a checkpoint of an earlier version. */
export function readSnapshotHeader(value: unknown): SnapshotHeader | undefined {
  if (!isJsonObject(value)) return undefined
  const { current, counts } = value
  const [first, second]: readonly unknown[] = Array.isArray(counts) ? counts : []
  return { current: Number(current), counts: [Number(first), Number(second)] }
}

function countParts(names: ReadonlySet<string>, set: number): number {
  let count = 0
  while (names.has(getPartName(set, count))) count++
  return count
}

function getPartName(set: number, part: number): string {
  return `engine ${set}.${part}`
}
