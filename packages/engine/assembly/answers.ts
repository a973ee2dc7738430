import { isSame } from './bytes'
import { allocate } from './memory'

// An entry: hash; a label, which is compared as the bytes are; where the bytes are kept (0 for a free entry); answer.
const entrySize: usize = 16
const labelAt: usize = 4
const bytesAt: usize = 8
const answerAt: usize = 12

/** Entries that are looked at before bytes count as unknown; new ones drop an entry when all are taken. */
const probesMax: u32 = 8
/** Entries of the first table. */
const firstEntries: u32 = 4_096

/**
 * What the host answered about bytes, which are kept and compared in full. Its table begins small and doubles: a small
 * one stays in the processor's cache, and a large one is touched all over. A table of n entries stands n entries into
 * the room for all of them, so that each is followed by one that is twice as large.
 */
@unmanaged
export class Answers {
  private tables: usize
  private table: usize
  private tableMask: u32
  private countMax: u32
  private count: u32
  private bytes: usize
  private bytesEnd: usize
  private freeBytes: usize

  /** Makes room for so many answers, a power of two, and so many bytes of what they are about. */
  @inline
  configure(count: u32, byteCount: usize): void {
    this.countMax = count
    this.tables = allocate(<usize>count * 4 * entrySize)
    this.useTable(min(firstEntries, count * 2))
    this.bytes = allocate(byteCount)
    this.bytesEnd = this.bytes + byteCount
    this.freeBytes = this.bytes
  }

  forget(): void {
    memory.fill(this.table, 0, (<usize>this.tableMask + 1) * entrySize)
    this.freeBytes = this.bytes
    this.count = 0
  }

  /** The entry about such bytes, for the functions below; 0 when there is none. */
  @inline
  find(hash: u32, label: u32, start: usize, length: u32): usize {
    for (let probe: u32 = 0; probe < probesMax; probe++) {
      const entry = this.entryAt(hash + probe)
      const kept = <usize>load<u32>(entry, bytesAt)
      if (kept == 0) return 0
      if (load<u32>(entry) == hash && load<u32>(entry, labelAt) == label && isSame(start, kept, length)) return entry
    }
    return 0
  }

  /** Whether nothing more about so many bytes can be remembered before everything is forgotten. */
  @inline
  isFullFor(length: u32): bool {
    return this.count == this.countMax || this.freeBytes + length + 16 > this.bytesEnd
  }

  /** Keeps bytes with an answer, for which there is room, and answers where the bytes are. */
  add(hash: u32, label: u32, start: usize, length: u32, answer: i32): usize {
    if (this.count * 2 > this.tableMask) this.growTable()
    const kept = this.freeBytes
    memory.copy(kept, start, length)
    this.freeBytes = (kept + length + 7) & ~(<usize>7)
    this.count++
    this.put(hash, label, kept, answer)
    return kept
  }

  @inline
  private entryAt(hash: u32): usize {
    return this.table + <usize>(hash & this.tableMask) * entrySize
  }

  /** Half of a table is taken at most. */
  private growTable(): void {
    const old = this.table
    const oldEnd = this.entryAt(this.tableMask) + entrySize
    this.useTable((this.tableMask + 1) * 2)
    for (let entry = old; entry != oldEnd; entry += entrySize) {
      const kept = keptBytes(entry)
      if (kept != 0) this.put(load<u32>(entry), load<u32>(entry, labelAt), kept, answerOf(entry))
    }
  }

  private useTable(entryCount: u32): void {
    this.tableMask = entryCount - 1
    this.table = this.tables + <usize>entryCount * entrySize
  }

  private put(hash: u32, label: u32, kept: usize, answer: i32): void {
    const entry = this.placeFor(hash)
    store<u32>(entry, hash)
    store<u32>(entry, label, labelAt)
    store<u32>(entry, <u32>kept, bytesAt)
    store<i32>(entry, answer, answerAt)
  }

  /** The first free entry, or one of those that are taken: which one, bits of the hash say that chose none so far. */
  private placeFor(hash: u32): usize {
    for (let probe: u32 = 0; probe < probesMax; probe++) {
      const entry = this.entryAt(hash + probe)
      if (load<u32>(entry, bytesAt) == 0) return entry
    }
    return this.entryAt(hash + (hash >>> 29))
  }
}

/** Makes one, which has to be configured. */
export function allocateAnswers(): Answers {
  return changetype<Answers>(allocate(offsetof<Answers>()))
}

@inline
export function keptBytes(entry: usize): usize {
  return <usize>load<u32>(entry, bytesAt)
}

@inline
export function answerOf(entry: usize): i32 {
  return load<i32>(entry, answerAt)
}
