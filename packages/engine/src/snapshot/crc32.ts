/** By byte: what it does to the checksum. */
const table = Int32Array.from({ length: 256 }, (_, byte) => {
  let entry = byte
  for (let bit = 0; bit < 8; bit++) entry = (entry & 1) === 1 ? (entry >>> 1) ^ 0xedb88320 : entry >>> 1
  return entry
})

/** The checksum CRC-32 (ISO 3309, as in zip files) of some bytes; with `before`, the checksum of those before them, of all. */
export function crc32(bytes: Uint8Array, before = 0): number {
  let rest = ~before
  for (let at = 0; at < bytes.length; at++) rest = (rest >>> 8) ^ table[(rest ^ bytes[at]!) & 255]!
  return ~rest >>> 0
}
