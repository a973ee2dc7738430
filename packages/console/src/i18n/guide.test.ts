import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { en } from './en/index.ts'

const guide = readFileSync(join(import.meta.dirname, '../../../../docs/guide/console.md'), 'utf8')
const texts: ReadonlySet<unknown> = new Set(Object.values(en))
/** What the demo calls its connector. */
const named = ['Sample events']

test('what the guide of the console calls by its name has that name in the pages', () => {
  const names = [...guide.matchAll(/\*([^*]+)\*/g)].map(([, name]) => name)
  expect(names.length).toBeGreaterThan(12)
  expect(names.filter((name) => !texts.has(name) && !named.includes(name ?? ''))).toEqual([])
})

test('its table of keys says what they do as the pages say it', () => {
  const rows = [...guide.matchAll(/^\| `\w` \| ([^,;:|]+)/gm)].map(([, name = '']) => name.trim())
  expect(rows.length).toBeGreaterThan(5)
  expect(rows.filter((name) => !texts.has(name))).toEqual([])
})
