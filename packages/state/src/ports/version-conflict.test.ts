import { expect, test } from 'vitest'
import type { ChangeResult } from './change.ts'
import { checkVersion, requireFound, unwrapChange } from './version-conflict.ts'

type Thing = { readonly version: number; readonly editedVersion?: number }

const conflict = (version: number) => ({
  code: 'VERSION_CONFLICT', message: `the rule was changed meanwhile and has version ${version}; read it again`, details: { version },
})

test.for<[title: string, thing: Thing, versions: readonly number[] | undefined, isRefused: boolean]>([
  ['any version where none is stated', { version: 3 }, undefined, false],
  ['its version', { version: 3 }, [3], false],
  ['one of several', { version: 3 }, [1, 3], false],
  ['an older one', { version: 3 }, [2], true],
  ['a newer one', { version: 3 }, [4], true],
  ['none at all', { version: 3 }, [], true],
  ['one since its last edit', { version: 7, editedVersion: 4 }, [5], false],
  ['one before its last edit', { version: 7, editedVersion: 4 }, [3], true],
])('a change that expects %s', ([, thing, versions, isRefused]) => {
  const check = (): void => checkVersion(thing, versions, 'rule')
  if (isRefused) expect(check).toThrow(expect.objectContaining(conflict(thing.version)))
  else expect(check).not.toThrow()
})

test('the resource after a change, or why there is none', () => {
  const thing = { version: 2 }
  const unwrap = (change: ChangeResult<Thing>) => () => unwrapChange(change, 'rule')
  expect(unwrap({ outcome: 'changed', value: thing })()).toBe(thing)
  expect(unwrap({ outcome: 'stale', version: 5 })).toThrow(expect.objectContaining(conflict(5)))
  const missing = expect.objectContaining({ code: 'NOT_FOUND', message: 'there is no such rule' })
  expect(unwrap({ outcome: 'missing' })).toThrow(missing)
  expect(requireFound(thing, 'rule')).toBe(thing)
  expect(() => requireFound(undefined, 'rule')).toThrow(missing)
})
