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

/** Presses the keys of a sequence such as `g a`, none of which waits for what the page does at the one before: a busy one takes too long. */
export async function pressSequence({ keyboard }: Page, keys: string): Promise<void> {
  await Promise.all(keys.split(' ').map(async (key) => await keyboard.press(key)))
}

/** Types into what has the focus without a pause between two letters, however busy the machine is. */
export async function typeWithoutPause(page: Page, text: string): Promise<void> {
  await page.evaluate((letters) => {
    for (const letter of letters) document.execCommand('insertText', false, letter)
  }, text)
}
