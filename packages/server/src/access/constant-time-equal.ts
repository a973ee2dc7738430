import { createHash, timingSafeEqual } from 'node:crypto'

/** Whether two texts are equal, in constant time: timing reveals neither a position nor a length. */
export function isConstantTimeEqual(one: string, other: string): boolean {
  return timingSafeEqual(hashText(one), hashText(other))
}

function hashText(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}
