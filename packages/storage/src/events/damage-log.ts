import { SerialQueue } from '@tripline/common/serial-queue'
import type { FileSystem } from '../disk/file-system.ts'
import { writeFully } from '../disk/file-system.ts'
import { readRecordFile } from '../log/record-files.ts'
import { encodeRecord } from '../log/record.ts'

/** A block whose bytes were found corrupted: its events are lost, or it was repaired. */
export type BlockDamage = {
  readonly kind: 'lost' | 'repaired'
  readonly tenant: string
  readonly file: string
  readonly offset: number
  /** With the file, this identifies the block. */
  readonly firstSequence: number
  readonly lastSequence: number
  readonly eventCount: number
  readonly problem: string
  /** When its events occurred, as far as that is known. */
  readonly oldestAt?: number | undefined
  readonly newestAt?: number | undefined
}

type DamageKey = Pick<BlockDamage, 'tenant' | 'file' | 'firstSequence'>

/** The number of events that were lost, and of blocks that were repaired; neither ever goes down. */
type DamageCounts = { readonly lostCount: number; readonly repairedCount: number }

export const damageFolder = 'damage'
const path = `${damageFolder}/00000001.log`
const version = 1

const noDamage: DamageCounts = { lostCount: 0, repairedCount: 0 }

/**
 * What is known of damage to stored events, in an append-only file: so each lost event is counted once, also across restarts.
 * Each record is written twice, because a flipped bit must not change the counts.
 */
export class DamageLog {
  readonly #disk: FileSystem
  readonly #writes = new SerialQueue()
  readonly #lost = new Map<string, BlockDamage>()
  readonly #repaired = new Set<string>()
  readonly #counts = new Map<string, DamageCounts>()
  readonly #lastSequences = new Map<string, number>()
  /** Records that are not durable yet. */
  #pending: Buffer[] = []
  /** Tells two repairs of the same block apart. */
  #nextNumber = 0

  private constructor(disk: FileSystem) {
    this.#disk = disk
  }

  static async open(disk: FileSystem): Promise<DamageLog> {
    const log = new DamageLog(disk)
    if (!(await disk.list(damageFolder)).includes(path.slice(damageFolder.length + 1))) return log
    const { payloads } = await readRecordFile(disk, path)
    // A copy follows its record, and a repair of the same block may come twice.
    let last = ''
    for (const { payload } of payloads) {
      const text = payload.toString('utf8', 1)
      if (payload[0] === version && text !== last) log.#count(JSON.parse(text) as BlockDamage)
      last = text
      log.#nextNumber++
    }
    return log
  }

  getCounts(tenant: string): DamageCounts {
    return this.#counts.get(tenant) ?? noDamage
  }

  /** The highest sequence of lost events: no other event may get one of these. */
  getLastSequence(tenant: string): number {
    return this.#lastSequences.get(tenant) ?? -1
  }

  isLost(place: DamageKey): boolean {
    return this.#lost.has(keyOf(place))
  }

  isRepaired(place: DamageKey): boolean {
    return this.#repaired.has(keyOf(place))
  }

  /** The losses of a tenant. */
  listLosses(tenant: string): readonly BlockDamage[] {
    return [...this.#lost.values()].filter((damage) => damage.tenant === tenant)
  }

  /** Counts damage at once and makes it durable; false where the block is known to be lost. An error leaves it to the next call. */
  async add(damage: BlockDamage): Promise<boolean> {
    if (this.isLost(damage)) return false
    this.#count(damage)
    const record = Buffer.from(encodeRecord((writer) => {
      writer.u8(version)
      writer.bytes(Buffer.from(JSON.stringify({ ...damage, number: this.#nextNumber++ }), 'utf8'))
    }))
    this.#pending.push(record, record)
    await this.#writes.run(() => this.#write())
    return true
  }

  #count(damage: BlockDamage): void {
    const { lostCount, repairedCount } = this.getCounts(damage.tenant)
    this.#lastSequences.set(damage.tenant, Math.max(this.getLastSequence(damage.tenant), damage.lastSequence))
    if (damage.kind === 'repaired') {
      this.#repaired.add(keyOf(damage))
      this.#counts.set(damage.tenant, { lostCount, repairedCount: repairedCount + 1 })
      return
    }
    if (this.isLost(damage)) return
    this.#lost.set(keyOf(damage), damage)
    this.#counts.set(damage.tenant, { lostCount: lostCount + damage.eventCount, repairedCount })
  }

  async #write(): Promise<void> {
    const pending = this.#pending
    if (pending.length === 0) return
    await this.#disk.makeFolder(damageFolder)
    const file = await this.#disk.open(path, 'write')
    try {
      const size = await file.size()
      await writeFully(file, Buffer.concat(pending), size)
      await file.sync()
      if (size === 0) await this.#disk.syncFolder(damageFolder)
    } finally {
      await file.close()
    }
    this.#pending = this.#pending.slice(pending.length)
  }
}

/** The log is one file for all tenants, and each numbers its events from 0. */
function keyOf({ tenant, file, firstSequence }: DamageKey): string {
  return `${tenant} ${file} ${firstSequence}`
}
