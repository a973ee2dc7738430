import { allocate } from './memory'

// Tables of entries of 16 bytes that begin small and double: a small one stays in the processor's cache, and a large
// one is touched all over. One of n entries stands n entries into the room for all of them, so that each is followed
// by one that is twice as large.

/** Bytes of an entry. */
export const entrySize: usize = 16
/** Entries of the first table. */
const firstEntries: u32 = 4_096

/** Makes room for tables of up to so many entries, a power of two. */
export function allocateTables(entriesMax: u32): usize {
  return allocate(<usize>entriesMax * 2 * entrySize)
}

/** How many entries the first table has, where the last one has so many. */
@inline
export function firstCount(entriesMax: u32): u32 {
  return min(firstEntries, entriesMax)
}

/** Where the table of so many entries is. */
@inline
export function tableOf(tables: usize, entryCount: u32): usize {
  return tables + <usize>entryCount * entrySize
}
