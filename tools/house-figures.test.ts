import { describe, expect, test } from 'vitest'
import { measureHouse, measureRepository } from './house-figures.ts'
import { findUnusedExports } from './unused-exports.ts'

describe('the house', () => {
  const figures = measureRepository()
  const isOver = (counts: ReadonlyMap<string, number>, max: number): string[] =>
    [...counts].filter(([, count]) => count > max).map(([name]) => name).sort()

  test('no package has over a third of the lines', () => {
    expect(isOver(figures.linesOfPackages, figures.lineCount / 3)).toEqual([])
  })

  test('no room has over an eighth of the lines', () => {
    expect(isOver(figures.linesOfRooms, figures.lineCount / 8)).toEqual([])
  })

  test('no folder has over 25 source files', () => {
    expect(isOver(figures.filesOfFolders, 25)).toEqual([])
  })

  test('a name is exported by one file, with few exceptions, and stands for enough lines', () => {
    expect(figures.repeatedExports.size).toBeLessThanOrEqual(6)
    // Shapes, words and rows of the public API are many names of few lines.
    expect(figures.linesPerExport).toBeGreaterThanOrEqual(28)
  })

  test('a file exports only what other files import', () => {
    expect(figures.unusedExports).toEqual([])
  })

  test('no files import each other, imports of types counted', () => {
    expect(figures.cycles).toEqual([])
  })
})

describe('the measurement', () => {
  const packages = [
    { folder: 'packages/common', name: '@tripline/common', targets: { './*': './src/*.ts' } },
    { folder: 'packages/shed', name: '@tripline/shed', targets: { '.': './src/index.ts' } },
  ]
  const files = new Map([
    ['packages/common/src/time.ts', `export const dayMs = 86_400_000\nexport type Days = number\n\n\n`],
    ['packages/shed/src/tools/saw.ts', `import type { Plank } from './plank.ts'\nexport function cut(plank: Plank): void {}\n`],
    ['packages/shed/src/tools/plank.ts', `export type { Saw } from './saw.ts'\nexport type Plank = string\n`],
    ['packages/shed/src/tools/plank.test.ts', `export const dayMs = 1\n`],
    ['packages/shed/src/day.ts', `import { dayMs } from '@tripline/common/time'\nexport class Days {}\n`],
    ['packages/shed/src/limits.ts', `export const limits = {}\n`],
    ['packages/common/src/limits.ts', `export const limits = {}\n`],
  ])
  const figures = measureHouse(files, new Map(), packages)

  test('counts lines by package and room, tests too', () => {
    expect([...figures.linesOfPackages]).toEqual([['packages/common', 5], ['packages/shed', 8]])
    expect([...figures.linesOfRooms]).toEqual([['packages/shed/tools', 5]])
    expect(figures.lineCount).toBe(13)
  })

  test('counts source files of folders, not tests', () => {
    expect([...figures.filesOfFolders]).toEqual([['packages/common/src', 2], ['packages/shed/src/tools', 2], ['packages/shed/src', 2]])
  })

  test('counts declared exports, and finds names that two files export, but for tables of limits', () => {
    expect(figures.linesPerExport).toBe(12 / 7)
    expect([...figures.repeatedExports]).toEqual([['Days', ['packages/common/src/time.ts', 'packages/shed/src/day.ts']]])
  })

  test('finds cycles of types and re-exports', () => {
    expect(figures.cycles).toEqual([['packages/shed/src/tools/plank.ts', 'packages/shed/src/tools/saw.ts']])
  })

  test.for<[form: string, user: string, unused: string[]]>([
    ['no import', ``, ['one', 'two', 'Three']],
    ['imports of names and types', `import { one, two as second } from '@tripline/common/all'\nimport type { Three } from '@tripline/common/all'`, []],
    ['an import of another file', `import { one } from '@tripline/common/none'\nimport { two } from 'all'`, ['one', 'two', 'Three']],
    ['a namespace', `import * as all from '@tripline/common/all'`, []],
    ['an import while the program runs', `await import('@tripline/common/all')`, []],
    ['a type in place', `type Own = import('@tripline/common/all').Three`, ['one', 'two']],
    ['a re-export', `export { one } from '@tripline/common/all'`, ['two', 'Three']],
    ['a re-export of all', `export * from '@tripline/common/all'`, []],
  ])('finds exports that no other file imports: %s', ([, user, unused]) => {
    const all = `export const one = 1\nexport function two() { return one }\nexport type Three = 3\ntype Own = 4\n`
    const sources = new Map([['packages/common/src/all.ts', all], ['packages/shed/src/index.ts', `${user}\nexport const own = 1\n`]])
    expect(findUnusedExports(sources, packages)).toEqual(unused.map((name) => `packages/common/src/all.ts: ${name}`))
  })
})
