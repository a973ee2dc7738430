import { isEqual } from './bytes'
import { allocate } from './memory'

// An entry: hash; address of the record (0 for a free entry). A record: a label, which is compared like the bytes; the
// answer; the bytes. Entries are small because probes touch them at random; a lookup touches mostly one cache line of a record.
const entrySize: usize = 8
const recordAt: usize = 4
const answerAt: usize = 4
const bytesAt: usize = 8

/** Entries probed before the bytes count as unknown; an insertion overwrites an entry when all of them are taken. */
const probesMax: u32 = 8
/** Entries of the smallest table. */
const firstEntries: u32 = 4_096

/**
 * Open-addressing hash table with linear probing that memoizes the host's answers. The keys are bytes, stored and
 * compared in full. The table starts small and doubles: a small one stays in the processor's cache, a large one does
 * not. A table of n entries lies n entries into the memory reserved for all of them, so the next, twice as large, follows it.
 */
@unmanaged
export class MemoTable {
  private tables: usize
  private table: usize
  private tableMask: u32
  private countMax: u32
  private count: u32
  private bytes: usize
  private bytesEnd: usize
  private nextRecord: usize

  /** Reserves memory for `count` answers, a power of two, and `byteCount` bytes of keys. */
  @inline
  configure(count: u32, byteCount: usize): void {
    this.countMax = count
    this.tables = allocate(<usize>count * 4 * entrySize)
    this.useTable(min(firstEntries, count * 2))
    this.bytes = allocate(byteCount)
    this.bytesEnd = this.bytes + byteCount
    this.nextRecord = this.bytes
  }

  /** Clears the table if a key of `length` bytes does not fit any more; returns whether it did. */
  clearIfFull(length: u32): bool {
    if (this.count != this.countMax && this.nextRecord + bytesAt + length + 16 <= this.bytesEnd) return false
    this.clear()
    return true
  }

  clear(): void {
    memory.fill(this.table, 0, (<usize>this.tableMask + 1) * entrySize)
    this.nextRecord = this.bytes
    this.count = 0
  }

  /** The record of a key, for the functions below; 0 when the table has none. */
  @inline
  find(hash: u32, label: u32, start: usize, length: u32): usize {
    for (let probe: u32 = 0; probe < probesMax; probe++) {
      const entry = this.getEntry(hash + probe)
      const record = <usize>load<u32>(entry, recordAt)
      if (record == 0) return 0
      if (load<u32>(entry) == hash && load<u32>(record) == label && isEqual(start, record + bytesAt, length)) return record
    }
    return 0
  }

  /** Stores a key with its answer and returns the address of the stored bytes; the caller made sure that they fit. */
  add(hash: u32, label: u32, start: usize, length: u32, answer: i32): usize {
    if (this.count * 2 > this.tableMask) this.growTable()
    const record = this.nextRecord
    store<u32>(record, label)
    store<i32>(record, answer, answerAt)
    memory.copy(record + bytesAt, start, length)
    this.nextRecord = (record + bytesAt + length + 7) & ~(<usize>7)
    this.count++
    this.insertEntry(hash, record)
    return record + bytesAt
  }

  @inline
  private getEntry(hash: u32): usize {
    return this.table + <usize>(hash & this.tableMask) * entrySize
  }

  /** Doubles the table; at most half of it is taken. */
  private growTable(): void {
    const old = this.table
    const oldEnd = this.getEntry(this.tableMask) + entrySize
    this.useTable((this.tableMask + 1) * 2)
    for (let entry = old; entry != oldEnd; entry += entrySize) {
      const record = <usize>load<u32>(entry, recordAt)
      if (record != 0) this.insertEntry(load<u32>(entry), record)
    }
  }

  private useTable(entryCount: u32): void {
    this.tableMask = entryCount - 1
    this.table = this.tables + <usize>entryCount * entrySize
  }

  private insertEntry(hash: u32, record: usize): void {
    const entry = this.findPlace(hash)
    store<u32>(entry, hash)
    store<u32>(entry, <u32>record, recordAt)
  }

  /** The first free entry, or one of the taken ones, chosen by bits of the hash that no probe has used. */
  private findPlace(hash: u32): usize {
    for (let probe: u32 = 0; probe < probesMax; probe++) {
      const entry = this.getEntry(hash + probe)
      if (load<u32>(entry, recordAt) == 0) return entry
    }
    return this.getEntry(hash + (hash >>> 29))
  }
}

/** Creates a table; call `configure` before use. */
export function createMemoTable(): MemoTable {
  return changetype<MemoTable>(allocate(offsetof<MemoTable>()))
}

@inline
export function getRecordBytes(record: usize): usize {
  return record + bytesAt
}

@inline
export function getAnswer(record: usize): i32 {
  return load<i32>(record, answerAt)
}
