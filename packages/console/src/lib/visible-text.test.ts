import { expect, test } from 'vitest'
import { printValue, toVisibleText } from './visible-text.ts'

test.for<[text: string, shown: string]>([
  ['plain <b>text</b> & more', 'plain <b>text</b> & more'],
  ['a\u0000b', 'a\u2400b'],
  ['evil\u202egpj.exe', 'evil⟨U+202E⟩gpj.exe'],
  ['zero\u200bwidth', 'zero⟨U+200B⟩width'],
  ['line\nand\ttab', 'line\nand\ttab'],
  ['of\r\nWindows', 'of\nWindows'],
  ['over\rwritten', 'over\u240dwritten'],
  ['한국어 😀', '한국어 😀'],
])('%j', ([text, shown]) => {
  expect(toVisibleText(text)).toBe(shown)
})

test.for<[value: unknown, shown: string]>([
  [null, ''],
  [4688, '4688'],
  [{ a: ['b\u0007'] }, '{"a":["b\\u0007"]}'],
  [false, 'false'],
])('%j', ([value, shown]) => {
  expect(printValue(value)).toBe(shown)
})
