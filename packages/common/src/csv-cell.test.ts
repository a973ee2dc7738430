import { expect, test } from 'vitest'
import { printCsvCell } from './csv-cell.ts'

test.for<[text: string, cell: string]>([
  ['', ''],
  ['plain', 'plain'],
  ['a b;c', 'a b;c'],
  ['a,b', '"a,b"'],
  ['say "x"', '"say ""x"""'],
  ['a\nb', '"a\nb"'],
  ['a\rb', '"a\rb"'],
  ['=1+1', "'=1+1"],
  ['+1', "'+1"],
  ['-1', "'-1"],
  ['@x', "'@x"],
  ['\tx', "'\tx"],
  ['\r=x', "\"'\r=x\""],
  ['=A1,"x"', "\"'=A1,\"\"x\"\"\""],
  ['x=1', 'x=1'],
])('%j as a cell: %j', ([text, cell]) => {
  expect(printCsvCell(text)).toBe(cell)
})
