import { hostResultOf, hostStep } from './host'
import { allocateTables, entrySize, firstCount, tableOf } from './tables'

// An entry: state, class, what came of them, whether it is taken. Class 0, which makes no step, stands for the
// end of a section: what comes of it is the state's result.
const answerAt: usize = 8
const takenAt: usize = 12

/** Entries that are looked at before a step counts as unknown; a new step drops one when all are taken. */
const probesMax: u32 = 8

let tables: usize = 0
let table: usize = 0
let tableMask: u32 = 0
let countMax: u32 = 0
let count: u32 = 0

export let stepMisses: f64 = 0
export let stepsForgotten: f64 = 0

/** Makes room for so many steps and results, a power of two. */
export function configureSteps(stepCount: u32): void {
  countMax = stepCount
  tables = allocateTables(stepCount * 2)
  useTable(firstCount(stepCount * 2))
}

export function forgetSteps(): void {
  memory.fill(table, 0, (<usize>tableMask + 1) * entrySize)
  count = 0
}

/** The state after a class, or the result when the class is 0; remembered or asked of the host. */
export function step(state: i32, cls: i32): i32 {
  const hash = hashOfStep(state, cls)
  const wanted = (<u64>(<u32>cls) << 32) | <u64>(<u32>state)
  for (let probe: u32 = 0; probe < probesMax; probe++) {
    const entry = entryAt(hash + probe)
    if (load<u32>(entry, takenAt) == 0) break
    if (load<u64>(entry) == wanted) return load<i32>(entry, answerAt)
  }
  stepMisses += 1
  const answer = cls == 0 ? hostResultOf(state) : hostStep(state, cls)
  remember(hash, wanted, answer)
  return answer
}

function hashOfStep(state: i32, cls: i32): u32 {
  const mixed = (<u64>(<u32>state) * 0xff51_afd7_ed55_8ccd) ^ (<u64>(<u32>cls) * 0x9e37_79b9_7f4a_7c15)
  return <u32>((mixed ^ (mixed >>> 29)) >>> 16)
}

@inline
function entryAt(hash: u32): usize {
  return table + <usize>(hash & tableMask) * entrySize
}

function remember(hash: u32, wanted: u64, answer: i32): void {
  if (count == countMax) {
    forgetSteps()
    stepsForgotten += 1
  } else if (count * 2 > tableMask) {
    growTable()
  }
  count++
  put(hash, wanted, answer)
}

/** Half of a table is taken at most. */
function growTable(): void {
  const old = table
  const oldEnd = entryAt(tableMask) + entrySize
  useTable((tableMask + 1) * 2)
  for (let entry = old; entry != oldEnd; entry += entrySize) {
    if (load<u32>(entry, takenAt) == 0) continue
    put(hashOfStep(load<i32>(entry), load<i32>(entry, 4)), load<u64>(entry), load<i32>(entry, answerAt))
  }
}

function useTable(entryCount: u32): void {
  tableMask = entryCount - 1
  table = tableOf(tables, entryCount)
}

function put(hash: u32, wanted: u64, answer: i32): void {
  const entry = placeFor(hash)
  store<u64>(entry, wanted)
  store<i32>(entry, answer, answerAt)
  store<u32>(entry, 1, takenAt)
}

function placeFor(hash: u32): usize {
  for (let probe: u32 = 0; probe < probesMax; probe++) {
    const entry = entryAt(hash + probe)
    if (load<u32>(entry, takenAt) == 0) return entry
  }
  return entryAt(hash + (hash >>> 29))
}
