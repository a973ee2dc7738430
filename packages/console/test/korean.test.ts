import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { lacksBrowser, logIn, openConsole, openPage } from './open-console.ts'
import type { Console, WatchedPage } from './open-console.ts'
import { pagePaths, ruleOfPages } from './page-paths.ts'
import { printProgramRule } from './program-rule.ts'

const events = Array.from({ length: 3 }, (_, index) => ({
  _logsource: { category: 'process_creation', product: 'windows' }, Image: 'C:\\Tools\\tool.exe', Computer: `wks-${index}.example.com`,
}))

describe.skipIf(lacksBrowser)('pages in Korean', () => {
  let world: Console
  let watched: WatchedPage
  /** Of rules and products, which are not translated. */
  let names: readonly string[]

  beforeAll(async () => {
    world = await openConsole({ rule: printProgramRule(ruleOfPages, 1, 'tool') })
    await world.ingest(events, events.length)
    const { rules } = await world.call<{ readonly rules: readonly { readonly title: string }[] }>('/v1/detection/rules?limit=100')
    names = [...rules.map(({ title }) => title), 'Splunk universal forwarder']
    watched = await openPage(world)
    await logIn(world, watched.page)
    await watched.page.evaluate(() => localStorage.setItem('tripline.look', JSON.stringify({ language: 'ko' })))
  })
  afterAll(async () => await world?.close())

  test.for(pagePaths)('%s says nothing in English', async (path) => {
    const { page } = watched
    await page.goto(world.origin + path)
    await page.getByRole('heading', { level: 1 }).waitFor()
    await page.waitForLoadState('networkidle')
    const texts = (await page.evaluate(listTexts)).map((text) => names.reduce((rest, name) => rest.replace(name, ''), text))
    expect(texts.filter(isEnglish)).toEqual([])
  })
})

/** What a page says, in view and to screen readers, other than code. */
function listTexts(): string[] {
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  const all: string[] = []
  while (texts.nextNode() !== null) {
    const { currentNode } = texts
    if (currentNode.parentElement?.closest('pre, code, script, style') === null) all.push(currentNode.textContent ?? '')
  }
  for (const element of document.querySelectorAll('[title], [aria-label], [placeholder]')) {
    all.push(...['title', 'aria-label', 'placeholder'].map((name) => element.getAttribute(name) ?? ''))
  }
  return all.map((text) => text.trim())
}

/** A sentence, or part of one: three words that nothing but English has in a row. */
function isEnglish(text: string): boolean {
  return /[A-Za-z]{2,} [a-z]{2,} [a-z]{2,}/.test(text)
}
