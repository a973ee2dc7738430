import { posix } from 'node:path'
import { describe, expect, test } from 'vitest'
import { findViolations } from './find-layer-violations.ts'
import type { LayerTable } from './find-layer-violations.ts'
import { layerTable } from './layer-table.ts'
import { listFiles, readText } from './workspace.ts'

test('every import follows the table of layers', () => {
  const files = new Map(listFiles('packages/*/{src,test}/**/*.{ts,tsx}').map((path) => [path, readText(path)]))
  expect(files.size).toBeGreaterThan(0)
  expect(findViolations(files, layerTable)).toEqual([])
})

describe('the rooms of the server', () => {
  const { rooms } = layerTable['packages/server']!

  test('each row forbids at least half of the rooms', () => {
    // All areas count as one room: wiring opens each of them.
    const countRooms = (names: readonly string[]): number => new Set(names.map((name) => name.replace(/^areas\/.*/, 'areas'))).size
    const roomsMax = countRooms(Object.keys(rooms)) / 2
    const open = Object.entries(rooms).filter(([, { uses }]) => countRooms(uses) > roomsMax).map(([name]) => name)
    expect(open).toEqual([])
  })

  test('no area uses another, and only wiring and commands use areas', () => {
    const getArea = (room: string): string | undefined => /^areas\/([^/]+)/.exec(room)?.[1]
    const arrows = Object.entries(rooms).flatMap(([from, { uses }]) => uses.map((to) => ({ from, to })))
    const crossing = arrows.filter(({ from, to }) => {
      const [user, used] = [getArea(from), getArea(to)]
      return user !== undefined && used !== undefined && used !== 'shared' && user !== used
    })
    expect(crossing).toEqual([])
    const users = arrows.filter(({ from, to }) => getArea(to) !== undefined && getArea(from) === undefined).map(({ from }) => from)
    expect([...new Set(users)].sort()).toEqual([
      'admin-api.ts', 'app.ts', 'config', 'events-api.ts', 'index.ts', 'mount-areas.ts', 'open-app.ts', 'open-data-dir.ts',
      'open-public-routes.ts', 'server.ts', 'verification',
    ])
  })
})

describe('the checker', () => {
  const table: LayerTable = {
    'packages/house': {
      isPure: true,
      rooms: {
        'index.ts': { uses: ['attic', 'attic/ladder.ts'] },
        'attic': { uses: ['cellar'], packages: ['re2js'], types: ['hono'] },
        'attic/ladder.ts': { uses: ['attic'] },
        'cellar': { uses: [] },
      },
    },
    'packages/shed': { isPure: false, rooms: { '.': { uses: [], packages: ['node:*', '@tripline/house'] } } },
  }
  /** A tree that obeys the table; each case below replaces or adds one file. */
  const tree: { readonly [path: string]: string } = {
    'packages/house/src/index.ts': `export { beam } from './attic/beam.ts'\nexport { climb } from './attic/ladder.ts'`,
    'packages/house/src/attic/beam.ts': `import { RE2JS } from 're2js'\nimport type { Context } from 'hono'`,
    'packages/house/src/attic/rafter.ts': `import { stone } from '../cellar/stone.ts'`,
    'packages/house/src/attic/ladder.ts': `import { beam } from './beam.ts'`,
    'packages/house/src/cellar/stone.ts': `export const stone = new Date(0)`,
    'packages/house/src/cellar/stone.test.ts': `import { beam } from '../attic/beam.ts'\nprocess.exit()`,
    'packages/house/test/all.test.ts': `import { helper } from './helper.ts'`,
    'packages/shed/src/main.ts': `import { readFile } from 'node:fs'\nimport { beam } from '@tripline/house'`,
    'packages/shed/src/tool.ts': `import { main } from './main.ts'\nprocess.exit()`,
  }
  const check = (changes: { readonly [path: string]: string }): string[] =>
    findViolations(new Map(Object.entries({ ...tree, ...changes })), table)

  test('finds nothing in a tree that obeys', () => {
    expect(check({})).toEqual([])
  })

  test.for<[title: string, path: string, text: string, violation: string]>([
    ['an arrow that goes up', 'cellar/stone.ts', `import { beam } from '../attic/beam.ts'`,
      "packages/house/src/cellar/stone.ts imports packages/house/src/attic/beam.ts: 'cellar' may not use 'attic'"],
    ['an arrow that goes up for a type only', 'cellar/stone.ts', `import type { Beam } from '../attic/beam.ts'`,
      "packages/house/src/cellar/stone.ts imports packages/house/src/attic/beam.ts: 'cellar' may not use 'attic'"],
    ['an arrow hidden in a type', 'cellar/stone.ts', `export type Beam = import('../attic/beam.ts').Beam`,
      "packages/house/src/cellar/stone.ts imports packages/house/src/attic/beam.ts: 'cellar' may not use 'attic'"],
    ['an arrow hidden in a worker', 'cellar/stone.ts', `new URL('../index.ts', import.meta.url)`,
      "packages/house/src/cellar/stone.ts imports packages/house/src/index.ts: 'cellar' may not use 'index.ts'"],
    ['an arrow hidden in a choice of workers', 'cellar/stone.ts',
      `new URL(import.meta.url.endsWith('.ts') ? '../index.ts' : '../index.js', import.meta.url)`,
      "packages/house/src/cellar/stone.ts imports packages/house/src/index.ts: 'cellar' may not use 'index.ts'"],
    ['a file that has a row of its own', 'attic/rafter.ts', `export * from './ladder.ts'`,
      "packages/house/src/attic/rafter.ts imports packages/house/src/attic/ladder.ts: 'attic' may not use 'attic/ladder.ts'"],
    ['a computed import', 'cellar/stone.ts', `export const open = (name: string) => import(name)`,
      "packages/house/src/cellar/stone.ts imports ?: 'cellar' may not use it"],
    ['a package that the room does not name', 'cellar/stone.ts', `import { RE2JS } from 're2js'`,
      "packages/house/src/cellar/stone.ts imports re2js: 'cellar' may not use it"],
    ['a value of a package that is allowed for types', 'attic/beam.ts', `import { Hono } from 'hono'`,
      "packages/house/src/attic/beam.ts imports hono: 'attic' may not use it"],
    ['a Node module in a pure package', 'cellar/stone.ts', `import { readFile } from 'node:fs'`,
      "packages/house/src/cellar/stone.ts imports node:fs: 'cellar' may not use it"],
    ['a Node global in a pure package', 'cellar/stone.ts', `export const home = process.env.HOME`,
      'packages/house/src/cellar/stone.ts uses process.env, but packages/house is pure'],
    ['the clock in a pure package', 'cellar/stone.ts', `export const now = () => new Date()`,
      'packages/house/src/cellar/stone.ts uses new Date(), but packages/house is pure'],
    ['a test as a library', 'cellar/stone.ts', `import './stone.test.ts'`,
      'packages/house/src/cellar/stone.ts imports packages/house/src/cellar/stone.test.ts: only tests may import tests'],
    ['a folder without a row', 'garden/rose.ts', `export const rose = 1`,
      'packages/house/src/garden/rose.ts: the table has no row for it'],
    ['a folder below the top that only has a row for itself', '../../shed/src/garden/rose.ts', `export const rose = 1`,
      'packages/shed/src/garden/rose.ts: the table has no row for it'],
    ['a path out of the package', 'cellar/stone.ts', `import { main } from '../../../shed/src/main.ts'`,
      'packages/house/src/cellar/stone.ts imports packages/shed/src/main.ts: a path may not leave its package'],
    ['a path out of the package in a test', 'cellar/stone.test.ts', `import { main } from '../../../shed/src/main.ts'`,
      'packages/house/src/cellar/stone.test.ts imports packages/shed/src/main.ts: a path may not leave its package'],
  ])('refuses %s', ([, path, text, violation]) => {
    expect(check({ [posix.join('packages/house/src', path)]: text })).toEqual([violation])
  })

  test('refuses a deep import of another package', () => {
    expect(check({ 'packages/shed/src/main.ts': `import { stone } from '@tripline/house/cellar/stone'` }))
      .toEqual(["packages/shed/src/main.ts imports @tripline/house/cellar/stone: '.' may not use it"])
  })

  test('refuses a cycle, and not one of types', () => {
    const a = 'packages/house/src/cellar/a.ts'
    const b = 'packages/house/src/cellar/b.ts'
    expect(check({ [a]: `import { b } from './b.ts'`, [b]: `import { a } from './a.ts'` }))
      .toEqual([`${a} imports ${b} imports ${a}: a cycle`])
    expect(check({ [a]: `import { b } from './b.ts'`, [b]: `import type { a } from './a.ts'` })).toEqual([])
  })

  test('refuses a row of a package or file that does not exist', () => {
    expect(check({ 'packages/barn/src/hay.ts': '' }))
      .toEqual(['packages/barn/src/hay.ts: the table has no row for the package packages/barn'])
    expect(findViolations(new Map([['packages/house/src/index.ts', '']]), table)).toEqual([
      "packages/house: the row 'attic' has no file",
      "packages/house: the row 'attic/ladder.ts' has no file",
      "packages/house: the row 'cellar' has no file",
      "packages/shed: the row '.' has no file",
    ])
  })
})
