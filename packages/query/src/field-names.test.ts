import { describe, expect, test } from 'vitest'
import { listFieldNames, toSigmaName } from './field-names.ts'

describe('the names of a field', () => {
  test.for<[field: string, names: string[]]>([
    ['Image', ['Image', 'process.executable', 'process.executable.path']],
    ['process.executable', ['process.executable', 'Image', 'process.executable.path']],
    ['process.executable.path', ['process.executable.path', 'Image', 'process.executable']],
    ['file.path', ['file.path', 'ImageLoaded', 'TargetFilename']],
    ['message', ['message', 'Message', 'body']],
    ['image', ['image']],
    ['__proto__', ['__proto__']],
    ['constructor', ['constructor']],
    ['', ['']],
  ])('%j: %j', ([field, names]) => {
    expect(listFieldNames(field)).toEqual(names)
  })

  test.for<[field: string, name: string]>([
    ['process.executable', 'Image'],
    ['process.executable.path', 'Image'],
    ['Image', 'Image'],
    ['file.path', 'file.path'],
    ['source.ip', 'source.ip'],
    ['anything', 'anything'],
  ])('rules call %j %j', ([field, name]) => {
    expect(toSigmaName(field)).toBe(name)
  })
})
