import { expect, test } from 'vitest'
import { escapeControl, escapeControlInLines } from './escape-control.ts'

test.for<[text: string, inLine: string, inLines: string]>([
  ['plain äß 漢 🙂', 'plain äß 漢 🙂', 'plain äß 漢 🙂'],
  ['a\tb\nc', 'a\\u{9}b\\u{a}c', 'a\tb\nc'],
  ['a\rb', 'a\\u{d}b', 'a\\u{d}b'],
  ['\u001b[2J', '\\u{1b}[2J', '\\u{1b}[2J'],
  ['\u009b2J\u007f', '\\u{9b}2J\\u{7f}', '\\u{9b}2J\\u{7f}'],
  ['a\u202eb', 'a\\u{202e}b', 'a\\u{202e}b'],
])('%j', ([text, inLine, inLines]) => {
  expect(escapeControl(text)).toBe(inLine)
  expect(escapeControlInLines(text)).toBe(inLines)
})
