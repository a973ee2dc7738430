/**
 * Hashes a text with four seeded MurmurHash3 passes to 128 stable bits, printed as a UUID of version 8. Not
 * cryptographic: collisions can be constructed.
 */
export function hashToUuid(text: string): string {
  const words = [0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344].map((seed) => hash32(text, seed))
  const hex = words.map((word) => word.toString(16).padStart(8, '0')).join('')
  const variant = ((Number.parseInt(hex[16]!, 16) & 3) | 8).toString(16)
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20)}`
}

/** MurmurHash3 (32 bits) over UTF-16 units. */
function hash32(text: string, seed: number): number {
  let hash = seed
  for (let i = 0; i < text.length; i++) {
    let unit = Math.imul(text.charCodeAt(i), 0xcc9e2d51)
    unit = Math.imul((unit << 15) | (unit >>> 17), 0x1b873593)
    hash ^= unit
    hash = (Math.imul((hash << 13) | (hash >>> 19), 5) + 0xe6546b64) | 0
  }
  hash ^= text.length
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return (hash ^ (hash >>> 16)) >>> 0
}
