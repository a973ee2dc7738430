import type { Locator } from 'playwright-core'

/** Frames after which what did not change is at rest. */
const framesOfRest = 3

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
