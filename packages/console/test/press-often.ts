import type { Page } from 'playwright-core'

/**
 * Presses a key again and again, as fast as a person who holds it. The page does it itself: its timers fire in the order of their
 * times, however busy the machine is, so that what waits for a pause sees none.
 */
export async function pressOften(page: Page, key: string, times: number): Promise<void> {
  await page.evaluate(async ([pressed, count]) => {
    for (let press = 0; press < count; press++) {
      document.body.dispatchEvent(new KeyboardEvent('keydown', { key: pressed, bubbles: true }))
      await new Promise((resolve) => setTimeout(resolve, 33))
    }
  }, [key, times] as const)
}
