import { describe, expect, test } from 'vitest'
import { RowCounter } from './row-counter.ts'
import type { SavedFormat } from './row-counter.ts'

describe.each<[format: SavedFormat, text: string, count: number]>([
  ['csv', '', 0],
  ['csv', 'id,title\r\n', 0],
  ['csv', 'id,title\r\n1,a\r\n2,b\r\n', 2],
  ['csv', 'id,title\r\n1,a\r\n2,b', 1],
  ['csv', 'id,title\r\n1,"two\nlines\r\nand ""quotes"""\r\n', 1],
  ['csv', 'id,title\r\n1,""\r\n2,"""\n"""\r\n', 2],
  ['json', '[]\n', 0],
  ['json', '[\n{"id":1}]\n', 1],
  ['json', '[\n{"id":1},\n{"id":"\\n"}]\n', 2],
])('%s %j', (format, text, count) => {
  const bytes = new TextEncoder().encode(text)

  test.each([1, 2, 3, bytes.length || 1])(`has ${count} rows, in pieces of %i bytes`, (size) => {
    const counter = new RowCounter(format)
    for (let start = 0; start < bytes.length; start += size) counter.take(bytes.subarray(start, start + size))
    expect(counter.count).toBe(count)
  })
})
