import { expect, test } from 'vitest'
import { toViewAddress, toViewQuery } from './view-query.ts'

test.for([
  ['', ''],
  ['?status=open&assignee=me&alert=a1&from=-7d&sort=host:asc', 'assignee=me&status=open'],
  ['?q=a%20b', 'q=a+b'],
] as const)('the view of %s is %s', ([search, query]) => {
  expect(toViewQuery(search, ['alert'])).toBe(query)
})

test.for([
  ['status=open', '?from=-7d&alert=a1', '/alerts?from=-7d&status=open'],
  ['q=a&from=-1h', '?from=-7d&to=-1d', '/alerts?from=-1h&to=-1d&q=a'],
  ['', '?alert=a1', '/alerts'],
] as const)('the view %s from %s is at %s', ([query, search, address]) => {
  expect(toViewAddress('/alerts', query, search)).toBe(address)
})
