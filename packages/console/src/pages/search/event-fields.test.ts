import { expect, test } from 'vitest'
import { findEntity } from './event-fields.ts'

test.for([
  [{ Computer: 'ws-1', User: 'alice' }, 'ws-1', 'alice'],
  [{ host: { name: 'ws-2' }, user: { name: 'bob' } }, 'ws-2', 'bob'],
  [{ 'host.name': 'ws-3', 'user': 7 }, 'ws-3', undefined],
  [{ winlog: { event_data: { TargetUserName: 'carol' } } }, undefined, 'carol'],
  [{ host: '' }, undefined, undefined],
] as const)('host and user of %o', ([fields, host, user]) => {
  expect([findEntity(fields, 'host'), findEntity(fields, 'user')]).toEqual([host, user])
})
