import { quote } from './bytes'
import { hostClassOf, hostFound } from './host'
import { mayContainLiteral } from './literal-teddy-filter'
import { allocate } from './memory'
import { mayBeEqual } from './text-equality'
import { isClassKnown, getKnownClass, rememberClass, getSlot, valueLength, valueStart } from './slots'
import { hasEscapedText } from './string'
import { classifyValue, countValueHit, storedValue } from './values'
import { beginSignature, resolveSignature, addClass } from './signatures'

// Interprets programs: lists of the fields whose classes make up an event's signature. A program: the number of its
// words, then sections. A section: its id, which is the first word of its signatures, the count of its fields, then the
// fields. A field: domain, kind, the count of its slots, the slots. All words have 32 bits. In place of the slots a pair
// of fields has the count of the first field's slots, these slots, and those of the second field.
const kindPair: u32 = 1
const kindLine: u32 = 2
const kindText: u32 = 3

/** The text `"?"`, which stands for every text that is not empty; 16 bytes from its end can be read. */
const someText: usize = memory.data<u32>([0x0022_3f22, 0, 0, 0, 0, 0, 0, 0], 16)
const someTextLength: u32 = 3

let programs: usize = 0
let programCount: u32 = 0
/** The end of the section that ran last. */
let sectionEnd: usize = 0

/** The number of events that ran each program, as doubles that the host reads and clears. */
export let eventCounts: usize = 0

/** Reserves memory for `count` programs, which are unset at first. */
export function configurePrograms(count: u32): void {
  programCount = count
  programs = allocate(<usize>count * 4)
  eventCounts = allocate(<usize>count * 8)
}

export function setProgram(number: u32, program: usize): void {
  store<u32>(programs + <usize>number * 4, <u32>program)
}

/** Routes the event in the slots to a program and runs it; returns false if there is none, and the host has to parse the line. */
export function runPrograms(line: u32, start: usize, end: usize): bool {
  const routing = getProgram(0)
  if (routing == 0) return false
  const number = runSection(routing + 4, start, end)
  const program: usize = number == 0 ? 0 : getProgram(number)
  if (program == 0) return false
  const count = eventCounts + <usize>number * 8
  store<f64>(count, load<f64>(count) + 1)

  const programEnd: usize = program + 4 + <usize>load<u32>(program) * 4
  let at: usize = program + 4
  for (let section: u32 = 0; at != programEnd; section++) {
    const result = runSection(at, start, end)
    at = sectionEnd
    if (result != 0) hostFound(line, start, <u32>(end - start), section, result)
  }
  return true
}

@inline
function getProgram(number: u32): usize {
  return number < programCount ? <usize>load<u32>(programs + <usize>number * 4) : 0
}

/** Runs one section and returns its result. */
function runSection(at: usize, start: usize, end: usize): i32 {
  beginSignature(load<i32>(at))
  let fieldCount = load<u32>(at, 4)
  at += 8
  for (; fieldCount != 0; fieldCount--) {
    const domain = load<u32>(at)
    const kind = load<u32>(at, 4)
    const slots = at + 12
    at = slots + <usize>load<u32>(at, 8) * 4
    const cls = kind == kindLine
      ? classifyLine(domain, start, end)
      : kind == kindPair
        ? classifyPair(domain, slots, at)
        : classifyFirst(domain, kind, slots, at)
    if (cls != 0) addClass(cls)
  }
  sectionEnd = at
  return resolveSignature()
}

/** The class of the first value that is present; 0 if none is. */
@inline
function classifyFirst(domain: u32, kind: u32, slots: usize, slotsEnd: usize): i32 {
  const slot = firstPresent(slots, slotsEnd)
  if (slot == 0) return 0
  return kind == kindText && isSomeText(slot) ? classifyValue(domain, someText, someTextLength) : classifySlot(domain, slot)
}

/** Whether the value is a string that is not empty. */
@inline
function isSomeText(slot: usize): bool {
  return load<u8>(valueStart(slot)) == quote && valueLength(slot) > 2
}

/** The class of a pair of values; 0, without a call of the host, if one is absent or they are certainly different texts. */
@inline
function classifyPair(domain: u32, slots: usize, slotsEnd: usize): i32 {
  const firstEnd = slots + 4 + <usize>load<u32>(slots) * 4
  const slot = firstPresent(slots + 4, firstEnd)
  const other = firstPresent(firstEnd, slotsEnd)
  if (slot == 0 || other == 0) return 0
  const start = valueStart(slot)
  const length = valueLength(slot)
  return mayBeEqual(start, length, valueStart(other), valueLength(other)) ? hostClassOf(domain, start, length) : 0
}

/** The slot of the first value that is present; 0 if none is. */
@inline
function firstPresent(slots: usize, slotsEnd: usize): usize {
  for (; slots != slotsEnd; slots += 4) {
    const slot = getSlot(load<i32>(slots))
    if (slot != 0) return slot
  }
  return 0
}

/** The class of a value. Consecutive events share many values, and the sections of a program read the same ones. */
@inline
function classifySlot(domain: u32, slot: usize): i32 {
  if (isClassKnown(slot, domain)) {
    countValueHit()
    return getKnownClass(slot)
  }
  const cls = classifyValue(domain, valueStart(slot), valueLength(slot))
  rememberClass(slot, domain, cls, storedValue)
  return cls
}

/** The class of the whole line; 0, without a call of the host, if its strings cannot contain a literal of the domain. */
function classifyLine(domain: u32, start: usize, end: usize): i32 {
  if (!hasEscapedText && !mayContainLiteral(domain, start, end)) return 0
  return hostClassOf(domain, start, <u32>(end - start))
}
