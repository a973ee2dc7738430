import { AppError } from '@tripline/contract/app-error'
import { StoreError } from '@tripline/state/ports/store-error'
import { expect, test } from 'vitest'
import { toAppError } from './to-app-error.ts'

test.for<[code: StoreError['code'], requestCode: AppError['code'], message: string]>([
  ['CORRUPTED_ROW', 'UNAVAILABLE', 'text'],
  ['INVALID_QUERY', 'INVALID_PARAMETER', 'text'],
  ['NOT_FOUND', 'NOT_FOUND', 'text'],
  ['TRANSIENT', 'UNAVAILABLE', 'the database is full or locked; retry later'],
  ['UNKNOWN_FIELD', 'INVALID_QUERY_FIELD', 'text'],
  ['VERSION_CONFLICT', 'PRECONDITION_FAILED', 'text'],
])('the store error %s is %s for a request', ([code, requestCode, message]) => {
  expect(toAppError(new StoreError(code, 'text', { details: { version: 3 } }))).toMatchObject({ code: requestCode, message })
})

test('an error of the application stays as it is, and a bug is none', () => {
  const refusal = new AppError('CONFLICT', 'text')
  expect([toAppError(refusal), toAppError(new Error('bug')), toAppError('bug')]).toEqual([refusal, undefined, undefined])
})
