import { expect, test } from 'vitest'
import { CommandError } from './command-error.ts'
import { parseArguments } from './parse-arguments.ts'

const detect = {
  name: 'detect',
  options: {
    rules: { kind: 'list', value: '<file>...', required: true, help: '' },
    input: { kind: 'text', value: '<file|->', default: '-', help: '' },
    output: { kind: 'choice', choices: ['ndjson', 'table'], default: 'ndjson', help: '' },
    level: { kind: 'choice', value: '<level>', choices: ['low', 'high'], help: '' },
    stats: { kind: 'flag', help: '' },
  },
} as const
const check = { name: 'check', operands: '<file>...', options: { json: { kind: 'flag', help: '' } } } as const

const absent = { input: '-', output: 'ndjson', level: undefined, stats: false }

test.for<[line: string, options: Record<string, unknown>]>([
  ['--rules a', { rules: ['a'] }],
  ['--rules a b c', { rules: ['a', 'b', 'c'] }],
  ['--rules a --rules b', { rules: ['a', 'b'] }],
  ['--rules a b --stats --rules=c d', { rules: ['a', 'b', 'c', 'd'], stats: true }],
  ['--rules a --input -', { rules: ['a'], input: '-' }],
  ['--rules a --input=x=y', { rules: ['a'], input: 'x=y' }],
  ['--rules a --input=-x', { rules: ['a'], input: '-x' }],
  ['--rules a --input x --input y', { rules: ['a'], input: 'y' }],
  ['--rules a --output table --level high', { rules: ['a'], output: 'table', level: 'high' }],
])('detect %s', ([line, options]) => {
  expect(parseArguments(line.split(' '), detect)).toEqual({ options: { ...absent, ...options }, operands: [] })
})

test.for<[line: string, operands: string[], json: boolean]>([
  ['a b', ['a', 'b'], false],
  ['a --json b', ['a', 'b'], true],
  ['--json -- --odd-name', ['--odd-name'], true],
])('check %s', ([line, operands, json]) => {
  expect(parseArguments(line.split(' '), check)).toEqual({ options: { json }, operands })
})

test.for<[line: string, message: string]>([
  ['', `option '--rules <file>...' is missing for 'tripline detect'`],
  ['--rules', `option '--rules' needs a value: <file>...`],
  ['--rules --stats', `option '--rules' needs a value: <file>...`],
  ['--rules a --input', `option '--input' needs a value: <file|->`],
  ['--rules a --input=', `option '--input' needs a value: <file|->`],
  ['--rules a --output xml', `option '--output' is 'xml'; it takes one of ndjson, table`],
  ['--rules a --level', `option '--level' needs a value: <level>`],
  ['--rules a --stats=yes', `option '--stats' takes no value`],
  ['--rules a --stat', `unknown option '--stat' for 'tripline detect'; did you mean '--stats'?`],
  ['--rules a -x', `unknown option '-x' for 'tripline detect'`],
  ['--rules a --constructor', `unknown option '--constructor' for 'tripline detect'`],
  ['--rules a --__proto__', `unknown option '--__proto__' for 'tripline detect'`],
  ['--rules a --stats b', `unexpected argument 'b' for 'tripline detect'`],
  ['b --rules a', `unexpected argument 'b' for 'tripline detect'`],
])('detect %s is refused', ([line, message]) => {
  const refusal = new CommandError(2, message)
  expect(() => parseArguments(line.split(' ').filter((part) => part !== ''), detect)).toThrow(refusal)
})

test('check without operands is refused', () => {
  expect(() => parseArguments(['--json'], check)).toThrow(`'tripline check' needs <file>...`)
})
