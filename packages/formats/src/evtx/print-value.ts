import { EvtxError } from './evtx-error.ts'

/** The type of a value that is binary XML itself. */
export const xmlType = 0x21
const arrayBit = 0x80

/** A value of a record as JSON text, with the text that it has within other text; undefined for no value. */
type PrintedValue = { readonly json: string; readonly text: string }

type ValuePrinter = {
  /** Bytes of one value; undefined where the size of the whole decides. */
  readonly size: number | undefined
  readonly print: (bytes: Buffer) => PrintedValue
}

/** The types of values, by number. */
const printers: { readonly [type: number]: ValuePrinter } = {
  0x01: { size: undefined, print: (bytes) => quote(trimNul(bytes.toString('utf16le'))) },
  0x02: { size: undefined, print: (bytes) => quote(trimNul(bytes.toString('latin1'))) },
  0x03: { size: 1, print: (bytes) => plain(String(bytes.readInt8())) },
  0x04: { size: 1, print: (bytes) => plain(String(bytes.readUInt8())) },
  0x05: { size: 2, print: (bytes) => plain(String(bytes.readInt16LE())) },
  0x06: { size: 2, print: (bytes) => plain(String(bytes.readUInt16LE())) },
  0x07: { size: 4, print: (bytes) => plain(String(bytes.readInt32LE())) },
  0x08: { size: 4, print: (bytes) => plain(String(bytes.readUInt32LE())) },
  0x09: { size: 8, print: (bytes) => plain(String(bytes.readBigInt64LE())) },
  0x0a: { size: 8, print: (bytes) => plain(String(bytes.readBigUInt64LE())) },
  0x0b: { size: 4, print: (bytes) => printFloat(bytes.readFloatLE()) },
  0x0c: { size: 8, print: (bytes) => printFloat(bytes.readDoubleLE()) },
  0x0d: { size: 4, print: (bytes) => plain(String(bytes.readUInt32LE() !== 0)) },
  0x0e: { size: undefined, print: (bytes) => quote(bytes.toString('hex').toUpperCase()) },
  0x0f: { size: 16, print: (bytes) => quote(printGuid(bytes)) },
  0x10: { size: undefined, print: (bytes) => quote(printHex(bytes)) },
  0x11: { size: 8, print: (bytes) => quote(printFileTime(bytes.readBigUInt64LE())) },
  0x12: { size: 16, print: (bytes) => quote(printSystemTime(bytes)) },
  0x13: { size: undefined, print: (bytes) => quote(printSecurityId(bytes)) },
  0x14: { size: 4, print: (bytes) => quote(printHex(bytes)) },
  0x15: { size: 8, print: (bytes) => quote(printHex(bytes)) },
}

/** Prints a value by its type, as the exports of Windows logs do; undefined where there is none. */
export function printRawValue(type: number, bytes: Buffer): PrintedValue | undefined {
  if (type === 0) return undefined
  const isArray = (type & arrayBit) !== 0
  const printer = printers[type & ~arrayBit]
  if (printer === undefined) throw new EvtxError(`0x${type.toString(16)} is no type of a value`)
  if (isArray) return printArray(printer, bytes)
  // Numbers and times without bytes are values that are not there; texts without bytes are empty.
  const isShort = printer.size !== undefined && bytes.length < printer.size
  if (isShort && bytes.length === 0) return undefined
  return isShort ? quote(bytes.toString('hex').toUpperCase()) : printer.print(bytes)
}

function printArray({ size, print }: ValuePrinter, bytes: Buffer): PrintedValue {
  const items = size === undefined ? splitTexts(bytes) : Array.from({ length: Math.floor(bytes.length / size) }, (_, index) => {
    return bytes.subarray(index * size, (index + 1) * size)
  })
  const printed = items.map(print)
  return { json: `[${printed.map(({ json }) => json).join(',')}]`, text: printed.map(({ text }) => text).join(',') }
}

/** Texts that end with a NUL each. */
function splitTexts(bytes: Buffer): Buffer[] {
  const parts: Buffer[] = []
  let start = 0
  for (let at = 0; at + 1 < bytes.length; at += 2) {
    if (bytes.readUInt16LE(at) !== 0) continue
    parts.push(bytes.subarray(start, at))
    start = at + 2
  }
  if (start < bytes.length) parts.push(bytes.subarray(start))
  return parts
}

function plain(text: string): PrintedValue {
  return { json: text, text }
}

function quote(text: string): PrintedValue {
  return { json: JSON.stringify(text), text }
}

function printFloat(value: number): PrintedValue {
  return Number.isFinite(value) ? plain(String(value)) : quote(String(value))
}

function trimNul(text: string): string {
  return text.replace(/\0+$/, '')
}

function printHex(bytes: Buffer): string {
  let value = 0n
  for (let at = bytes.length - 1; at >= 0; at--) value = (value << 8n) | BigInt(bytes[at]!)
  return `0x${value.toString(16)}`
}

function printGuid(bytes: Buffer): string {
  const [first, second, third] = [bytes.readUInt32LE(0), bytes.readUInt16LE(4), bytes.readUInt16LE(6)]
  const hex = (value: number, digits: number): string => value.toString(16).padStart(digits, '0')
  return `{${hex(first, 8)}-${hex(second, 4)}-${hex(third, 4)}-${bytes.toString('hex', 8, 10)}-${bytes.toString('hex', 10, 16)}}`
}

/** Milliseconds between the epochs of Windows, 1601, and of Unix. */
const epochShiftMs = 11_644_473_600_000n

function printFileTime(ticks: bigint): string {
  const ms = Number(ticks / 10_000n - epochShiftMs)
  const date = new Date(ms)
  if (Number.isNaN(date.getTime())) throw new EvtxError(`${ticks} is no time`)
  // A tick is 100 ns.
  const fraction = String(ticks % 10_000_000n).padStart(7, '0')
  return date.toISOString().replace(/\.\d{3}Z$/, `.${fraction}Z`)
}

function printSystemTime(bytes: Buffer): string {
  const [year, month, , day, hour, minute, second, ms] = Array.from({ length: 8 }, (_, index) => bytes.readUInt16LE(2 * index))
  const at = Date.UTC(year!, month! - 1, day, hour, minute, second, ms)
  return new Date(at).toISOString()
}

function printSecurityId(bytes: Buffer): string {
  const count = bytes[1] ?? 0
  if (bytes.length < 8 + 4 * count) throw new EvtxError('a security identifier is incomplete')
  const parts = Array.from({ length: count }, (_, index) => bytes.readUInt32LE(8 + 4 * index))
  return ['S', bytes[0]!, bytes.readUIntBE(2, 6), ...parts].join('-')
}
