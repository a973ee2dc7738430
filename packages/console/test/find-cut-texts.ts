import type { Page } from 'playwright-core'

/** Spaces the texts of a page as a reader may want to (WCAG 1.4.12), or sets the spaces back. */
export async function spaceTexts(page: Page, isSpaced: boolean): Promise<void> {
  // The policy of the pages refuses a style sheet, so each element is set, as an extension of a reader does.
  await page.evaluate((isOn) => {
    for (const { style } of document.querySelectorAll<HTMLElement>('#root *')) {
      style.letterSpacing = isOn ? '0.12em' : ''
      style.wordSpacing = isOn ? '0.16em' : ''
    }
  }, isSpaced)
}

/** Makes the words of a page 40 % longer, as another language may: those of labels and controls, not of rows of logs. */
export async function lengthenWords(page: Page): Promise<void> {
  await page.evaluate(() => {
    const labels = 'button, a, label, summary, legend, h1, h2, h3, h4, [role=columnheader], [role=tab], p, dt'
    for (const element of document.querySelectorAll(labels)) {
      if (element.closest('[role=rowgroup]') !== null) continue
      for (const node of [...element.childNodes, ...[...element.querySelectorAll(':scope > span')].flatMap((span) => [...span.childNodes])]) {
        const text = node.nodeValue ?? ''
        if (node.nodeType === Node.TEXT_NODE && /\p{L}{2}/u.test(text) && !text.endsWith('~')) node.nodeValue = `${text}${'e'.repeat(text.length * 0.4)}~`
      }
    }
  })
}

/** The labels and controls of a page whose text is cut without a title that has all of it, or that lie outside of the window. */
export async function findCutTexts(page: Page): Promise<string[]> {
  return await page.evaluate(() => {
    const found: string[] = []
    const labels = 'button, a, label, summary, legend, h1, h2, h3, h4, [role=columnheader], [role=tab], [role=status], dt'
    for (const element of document.querySelectorAll<HTMLElement>(labels)) {
      const box = element.getBoundingClientRect()
      if (box.width <= 1 || box.height <= 1 || !element.checkVisibility({ visibilityProperty: true })) continue
      const parts = [element, ...element.querySelectorAll<HTMLElement>('span')]
      // Of a text for readers of the screen one pixel is shown.
      const isCut = parts.some((part) => part.scrollWidth > part.clientWidth + 1 && part.clientWidth > 1
        && isBox(part) && part.title === '' && element.title === '')
      const isOutside = box.right > innerWidth + 1 && !isInScroller(element)
      if (isCut || isOutside) found.push(`${isCut ? 'cut' : 'outside'}: ${element.tagName.toLowerCase()} ${element.innerText.slice(0, 80)}`)
    }
    if (document.documentElement.scrollWidth > innerWidth) found.push(`the page is ${document.documentElement.scrollWidth} px wide`)
    return [...new Set(found)]
    // What spills out of a box without a border is not cut, and may be what a column is drawn by.
    function isBox(part: HTMLElement): boolean {
      const { display, overflowX } = getComputedStyle(part)
      return display !== 'inline' && (overflowX !== 'visible' || part.matches('button, a'))
    }
    function isInScroller(element: Element): boolean {
      for (let outer = element.parentElement; outer !== null; outer = outer.parentElement) {
        if (outer.scrollWidth > outer.clientWidth && ['auto', 'scroll'].includes(getComputedStyle(outer).overflowX)) return true
      }
      return false
    }
  })
}
