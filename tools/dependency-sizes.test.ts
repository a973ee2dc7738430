import { describe, expect, test } from 'vitest'
import { measureDependencies } from './dependency-sizes.ts'
import { listFiles, readText } from './workspace.ts'

/** What a function takes of a server: a few things, each for a reason. */
const membersMax = 6

/** Services that are over it today. An entry goes when it is taken apart; nothing is added. */
const known = [
  'packages/server/src/ingestion/connectors/connector-deps.ts: ConnectorDeps',
]

describe('the dependencies of the server', () => {
  const paths = listFiles('packages/server/src/**/*.ts').filter((path) => !path.endsWith('.test.ts'))
  const texts = new Map(paths.map((path) => [path, readText(path)]))

  test(`no type of dependencies has more than ${membersMax} members`, () => {
    const sizes = measureDependencies(texts)
    expect(sizes.size).toBeGreaterThan(20)
    const tooLarge = [...sizes].filter(([name, members]) => members.length > membersMax && !known.includes(name))
    expect(tooLarge.map(([name, members]) => `${name}: ${members.join(', ')}`)).toEqual([])
  })
})

describe('the measurement', () => {
  const a = `import type { BaseDeps as Base } from './base.ts'
type SmallDeps = Base & { readonly clock: Clock }
export type PickedDeps = Pick<Whole, 'one' | 'two'> & Omit<Base, 'log'> & Partial<SmallDeps>
type Other = { readonly many: string }`
  const base = `export type BaseDeps = { readonly state: State; readonly log: Log }`

  test('follows intersections, picked and omitted members, and other files', () => {
    const sizes = measureDependencies(new Map([['src/a.ts', a], ['src/base.ts', base]]))
    expect([...sizes]).toEqual([
      ['src/a.ts: SmallDeps', ['clock', 'log', 'state']],
      ['src/a.ts: PickedDeps', ['clock', 'log', 'one', 'state', 'two']],
      ['src/base.ts: BaseDeps', ['log', 'state']],
    ])
  })

  test.for<[what: string, text: string]>([
    ['a type of another package', `type XDeps = Unknown`],
    ['a type that is computed', `type XDeps = (typeof things)[number]`],
    ['keys that are computed', `type XDeps = Pick<Whole, Names>`],
  ])('refuses %s', ([, text]) => {
    expect(() => measureDependencies(new Map([['src/x.ts', text]]))).toThrow(/cannot be counted|must be a literal/)
  })
})
