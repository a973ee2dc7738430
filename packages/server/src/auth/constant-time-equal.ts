import { createHash, timingSafeEqual } from 'node:crypto'

/** Whether two texts are the same, in a time that tells nothing of where they differ or how long they are. */
export function isConstantTimeEqual(one: string, other: string): boolean {
  return timingSafeEqual(hashText(one), hashText(other))
}

function hashText(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}
