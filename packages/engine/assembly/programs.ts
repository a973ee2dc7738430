import { quote } from './bytes'
import { hostClassOf, hostFound } from './host'
import { mayContainLiteral } from './literal-teddy-filter'
import { allocate } from './memory'
import { mayBeEqual } from './text-equality'
import { isClassKnown, getKnownClass, rememberClass, getSlot, valueLength, valueStart } from './slots'
import { hasEscapedText } from './string'
import { classifyValue, countValueHit, storedValue } from './values'
import { beginSignature, resolveSignature, addClass } from './signatures'

// A program: how many words follow, then sections. A section: what its walks are called, the count of its
// fields, then the fields. A field: domain, kind, the count of its slots, the slots. All are words of 32 bits.
// A pair has, instead of slots, the count of the slots of its first field, those, and those of its second.
const kindPair: u32 = 1
const kindLine: u32 = 2
const kindText: u32 = 3

/** The text `"?"`, which stands for every text that is not empty; 16 bytes from its end can be read. */
const someText: usize = memory.data<u32>([0x0022_3f22, 0, 0, 0, 0, 0, 0, 0], 16)
const someTextLength: u32 = 3

let programs: usize = 0
let programCount: u32 = 0
/** Where the section that was run last ends. */
let sectionEnd: usize = 0

/** How many events ran each program, as numbers of 64 bits that the host reads and clears. */
export let eventCounts: usize = 0

/** Makes room for so many programs; none is there yet. */
export function configurePrograms(count: u32): void {
  programCount = count
  programs = allocate(<usize>count * 4)
  eventCounts = allocate(<usize>count * 8)
}

export function setProgram(number: u32, program: usize): void {
  store<u32>(programs + <usize>number * 4, <u32>program)
}

/** Whether the event in the slots could be routed to a program and was run; else its line is the host's. */
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

/** Runs one section and answers its result. */
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

/** The class of the first value that is present; 0 when none is. */
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

/** The class of two values together: 0 without asking where one is missing, or they are surely different texts. */
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

/** The slot of the first value that is present; 0 when none is. */
@inline
function firstPresent(slots: usize, slotsEnd: usize): usize {
  for (; slots != slotsEnd; slots += 4) {
    const slot = getSlot(load<i32>(slots))
    if (slot != 0) return slot
  }
  return 0
}

/** The class of a value; events that follow each other share many, and sections of one program ask for the same. */
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

/** The class of the whole line: 0 without asking where none of the domain's literals can be in its strings. */
function classifyLine(domain: u32, start: usize, end: usize): i32 {
  if (!hasEscapedText && !mayContainLiteral(domain, start, end)) return 0
  return hostClassOf(domain, start, <u32>(end - start))
}
