import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { longFiles, orderFiles } from './test-order.ts'
import { repositoryRoot } from './workspace.ts'

const order = (...paths: string[]): string[] => orderFiles(paths.map((path) => ({ moduleId: `/clone/${path}` }))).map(({ moduleId }) => moduleId.slice(7))
const inBrowser = (name: string): string => `packages/console/test/${name}.test.ts`

describe('the order of test files', () => {
  test.for(longFiles)('%s, which is long, is there', (path) => {
    expect(existsSync(join(repositoryRoot, path))).toBe(true)
  })

  test('begins with the long ones, in their order', () => {
    expect(order('a.test.ts', longFiles[2]!, 'b.test.ts', longFiles[0]!)).toEqual([longFiles[0], longFiles[2], 'a.test.ts', 'b.test.ts'])
  })

  test('has those in a browser between others', () => {
    const paths = ['a', 'b', 'c', 'd', 'e', 'f'].map((name) => `${name}.test.ts`)
    const ordered = order(inBrowser('x'), inBrowser('y'), ...paths)
    expect(ordered).toEqual(['a.test.ts', inBrowser('x'), 'b.test.ts', 'c.test.ts', inBrowser('y'), 'd.test.ts', 'e.test.ts', 'f.test.ts'])
  })

  test.for([0, 1, 2, 3, 7, 40])('keeps each file once where %i of 20 are in a browser', (count) => {
    const paths = Array.from({ length: Math.max(20, count) }, (_, at) => (at < count ? inBrowser(`${at}`) : `${at}.test.ts`))
    expect(order(...paths).sort()).toEqual(paths.sort())
  })
})
