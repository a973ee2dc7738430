import { expect, test } from 'vitest'
import { printFieldQuery, printTextQuery, printValueQuery } from './text-query.ts'

test.for([
  ['powershell.exe', 'powershell.exe'],
  [' mimi katz ', '"mimi katz"'],
  ['or', '"or"'],
  ['a"b\\c', String.raw`"a\"b\\c"`],
  ['user:alice', '"user:alice"'],
] as const)('%j is searched for as %s', ([text, query]) => {
  expect(printTextQuery(text)).toBe(query)
})

test.for([
  ['User', 'EXAMPLE\\a.meier', String.raw`User:"EXAMPLE\\a.meier"`],
  ['EventID', 4688, 'EventID:4688'],
  ['ok', true, 'ok:true'],
  ['x y', '*', '"x y":"*"'],
  ['host.name', 'wks-1', 'host.name:"wks-1"'],
] as const)('%s with %j is %s', ([field, value, query]) => {
  expect(printValueQuery(field, value)).toBe(query)
})

test.for([['Image', 'Image:*'], ['x y', '"x y":*'], ['or', '"or":*']] as const)('events with %s are found by %s', ([field, query]) => {
  expect(printFieldQuery(field)).toBe(query)
})
