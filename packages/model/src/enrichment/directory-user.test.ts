import { expect, test } from 'vitest'
import { listAllNames, listLookupNames } from './directory-user.ts'

test.for<[user: string, names: string[]]>([
  ['Alice', ['alice']],
  ['CORP\\Alice', ['corp\\alice', 'alice']],
  ['Alice@Example.org', ['alice@example.org']],
  ['AzureAD\\Alice@Example.org', ['azuread\\alice@example.org', 'alice@example.org']],
  [' alice ', ['alice']],
  ['-', []],
  ['CORP\\', ['corp\\']],
  ['', []],
])('user %s is looked up as %j', ([user, names]) => {
  expect(listLookupNames(user)).toEqual(names)
})

test('a directory user has each name once, the primary one first', () => {
  const person = { name: 'alice', email: 'Alice@Example.org', aliases: ['corp\\alice', 'alice', 's-1-5-21'] }
  expect(listAllNames(person)).toEqual(['alice', 'alice@example.org', 'corp\\alice', 's-1-5-21'])
})
