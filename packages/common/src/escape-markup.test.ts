import { expect, test } from 'vitest'
import { escapeMarkup } from './escape-markup.ts'

test.for<[text: string, escaped: string]>([
  ['', ''],
  ['a b', 'a b'],
  ['<script>', '&lt;script&gt;'],
  ['a&b', 'a&amp;b'],
  ['&lt;', '&amp;lt;'],
  ['" onload="x', '&quot; onload=&quot;x'],
  ["it's", 'it&#39;s'],
])('%j escaped: %j', ([text, escaped]) => {
  expect(escapeMarkup(text)).toBe(escaped)
})
