import { isEqual } from './bytes'
import { allocate } from './memory'

// The values of the current event by field, each with a one-entry inline cache of its class. A slot: the number of the
// event that wrote it, the address and length of the value; then the cache: domain, class, address and length of the
// stored bytes of the value classified last, mostly one of an earlier event. A slot of an earlier event is absent.
const slotSize: usize = 32
const eventAt: usize = 0
const startAt: usize = 4
const lengthAt: usize = 8
const domainAt: usize = 12
const classAt: usize = 16
const storedAt: usize = 20
const storedLengthAt: usize = 24

let slots: usize = 0
let slotCount: u32 = 0
let event: u32 = 0

export function configureSlots(count: u32): void {
  slotCount = count
  slots = allocate(<usize>count * slotSize)
}

/** Starts an event: every slot becomes absent. */
@inline
export function beginSlots(): void {
  event++
  if (event != 0) return
  memory.fill(slots, 0, <usize>slotCount * slotSize)
  event = 1
}

/** Clears the cached classes of all slots: the stored bytes that they refer to are gone. */
export function clearSlotClasses(): void {
  for (let slot = slots; slot != slots + <usize>slotCount * slotSize; slot += slotSize) {
    store<u32>(slot, 0, storedAt)
  }
}

@inline
export function fillSlot(code: i32, start: usize, length: u32): void {
  const slot = slots + <usize>code * slotSize
  store<u32>(slot, event, eventAt)
  store<u32>(slot, <u32>start, startAt)
  store<u32>(slot, length, lengthAt)
}

/** The slot of a key code, for the functions below; 0 if the event has no such value. */
@inline
export function getSlot(code: i32): usize {
  const slot = slots + <usize>code * slotSize
  return load<u32>(slot) == event ? slot : 0
}

@inline
export function valueStart(slot: usize): usize {
  return <usize>load<u32>(slot, startAt)
}

@inline
export function valueLength(slot: usize): u32 {
  return load<u32>(slot, lengthAt)
}

/** Whether the value equals, byte by byte, the one that was last classified in the domain. */
@inline
export function isClassKnown(slot: usize, domain: u32): bool {
  const stored = <usize>load<u32>(slot, storedAt)
  const length = load<u32>(slot, lengthAt)
  return stored != 0 && load<u32>(slot, domainAt) == domain && load<u32>(slot, storedLengthAt) == length
    && isEqual(<usize>load<u32>(slot, startAt), stored, length)
}

@inline
export function getKnownClass(slot: usize): i32 {
  return load<i32>(slot, classAt)
}

@inline
export function rememberClass(slot: usize, domain: u32, cls: i32, stored: usize): void {
  store<u32>(slot, domain, domainAt)
  store<i32>(slot, cls, classAt)
  store<u32>(slot, <u32>stored, storedAt)
  store<u32>(slot, load<u32>(slot, lengthAt), storedLengthAt)
}

/** The address of a slot's value in the current event; 0 if it has none. */
export function slotStart(code: i32): usize {
  const slot = getSlot(code)
  return slot == 0 ? 0 : valueStart(slot)
}

export function slotLength(code: i32): u32 {
  const slot = getSlot(code)
  return slot == 0 ? 0 : valueLength(slot)
}
