import { expect, test } from 'vitest'
import { recognize } from './recognize.ts'

test.for<[typed: string, kind: string | undefined, value?: string]>([
  ['192.0.2.7', 'ip'],
  [' 192.0.2.7 ', 'ip', '192.0.2.7'],
  ['2001:db8::7', 'ip'],
  ['2001:db8:0:1:1:1:1:1', 'ip'],
  ['::1', 'ip'],
  ['192.0.2.700', undefined],
  ['192.0.2', undefined],
  ['192.0.2.7.', undefined],
  ['14:30:00', undefined],
  ['T1059', 'technique'],
  ['t1059.001', 'technique', 'T1059.001'],
  ['T10590', undefined],
  ['4dfa0620-7c32-4d2b-9b5c-1f0b8c2e7a11', 'uuid'],
  ['44d88612fea8a8f36de82e1278abb02f', 'hash'],
  ['3395856ce81f2b7382dee72602f798b642f14140', 'hash'],
  ['275a021bbfb6489e54d471899f7db9d1663fc695ec2fe2a2c4538aabf651fd0f', 'hash'],
  ['44d88612fea8a8f36de82e1278abb02', undefined],
  ['powershell', undefined],
  ['', undefined],
])('%j is %s', ([typed, kind, value = typed]) => {
  expect(recognize(typed)).toEqual(kind === undefined ? undefined : { kind, value })
})
