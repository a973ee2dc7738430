import type { Locator } from 'playwright-core'
import { expect } from 'vitest'

/** Frames after which what did not change is at rest. */
const framesOfRest = 3
/** The height of a row, unless another is chosen. */
const rowHeight = 34

/** Waits until a list is where it was scrolled to: its place and its rows stay as they are from frame to frame. */
export async function waitForRest(list: Locator): Promise<void> {
  await list.evaluate(async (element, frames) => {
    let [last, same] = ['', 0]
    while (same < frames) {
      await new Promise(requestAnimationFrame)
      const now = `${element.scrollTop} ${element.textContent}`
      same = now === last ? same + 1 : 0
      last = now
    }
  }, framesOfRest)
}

/** Waits until a list has loaded as many rows: what it can scroll over is as high. */
export async function waitForRows(list: Locator, count: number): Promise<void> {
  await expect.poll(() => list.evaluate((element) => element.scrollHeight)).toBeGreaterThanOrEqual(count * rowHeight)
}
