import { expect, test } from 'vitest'
import { ExitError } from '../exit-error.ts'
import { parseArguments } from './parse-arguments.ts'
import type { Program } from './parse-arguments.ts'

const program: Program = {
  name: 'tripline', summary: '', suggest: (word, known) => known.filter((one) => one.startsWith(word)).map((one) => `did you mean '${one}'?`)[0],
}

const detect = {
  name: 'detect',
  options: {
    rules: { kind: 'list', value: '<file>...', required: true, help: '' },
    input: { kind: 'text', value: '<file|->', default: '-', help: '' },
    output: { kind: 'choice', choices: ['ndjson', 'table'], default: 'ndjson', help: '', otherNames: ['--format', '-o'] },
    level: { kind: 'choice', value: '<level>', choices: ['low', 'high'], help: '' },
    stats: { kind: 'flag', help: '' },
  },
} as const
const check = {
  name: 'check', operands: { usage: '<rules>...', help: '' },
  options: { json: { kind: 'flag', help: '' }, allow: { kind: 'repeated', value: '<cidr>', help: '' } },
} as const
const start = {
  name: 'start', operands: { usage: '[<rules>...]', help: '' }, options: { proxy: { kind: 'switch', value: '[true|false]', help: '' } },
} as const

test.for<[line: string, proxy: string | undefined, operands: string[]]>([
  ['', undefined, []],
  ['--proxy', 'true', []],
  ['--proxy true', 'true', []],
  ['--proxy false a', 'false', ['a']],
  ['--proxy=false', 'false', []],
  ['--proxy a', 'true', ['a']],
  ['--proxy a true', 'true', ['a', 'true']],
  ['--proxy -- true', 'true', ['true']],
])('start %s', ([line, proxy, operands]) => {
  expect(parseArguments(line.split(' ').filter((part) => part !== ''), start, program)).toEqual({ options: { proxy }, operands })
})

test.for<[line: string, message: string]>([
  ['--proxy=yes', `option '--proxy' is 'yes'; it takes true or false, or nothing for true`],
  ['--proxy --proxy', `option '--proxy' is given more than once`],
])('start %s is refused', ([line, message]) => {
  expect(() => parseArguments(line.split(' '), start, program)).toThrow(new ExitError(2, message))
})

const absent = { input: '-', output: 'ndjson', level: undefined, stats: false }

test.for<[line: string, options: Record<string, unknown>]>([
  ['--rules a', { rules: ['a'] }],
  ['--rules a b c', { rules: ['a', 'b', 'c'] }],
  ['--rules a --rules b', { rules: ['a', 'b'] }],
  ['--rules a b --stats --rules=c d', { rules: ['a', 'b', 'c', 'd'], stats: true }],
  ['--rules a --input -', { rules: ['a'], input: '-' }],
  ['--rules a --input=x=y', { rules: ['a'], input: 'x=y' }],
  ['--rules a --input=-x', { rules: ['a'], input: '-x' }],
  ['--rules a --output table --level high', { rules: ['a'], output: 'table', level: 'high' }],
])('detect %s', ([line, options]) => {
  expect(parseArguments(line.split(' '), detect, program)).toEqual({ options: { ...absent, ...options }, operands: [] })
})

test.for<[line: string, operands: string[], options: Record<string, unknown>]>([
  ['a b', ['a', 'b'], {}],
  ['a --json b', ['a', 'b'], { json: true }],
  ['--json -- --odd-name', ['--odd-name'], { json: true }],
  ['--allow x a --allow=y', ['a'], { allow: ['x', 'y'] }],
])('check %s', ([line, operands, options]) => {
  expect(parseArguments(line.split(' '), check, program)).toEqual({ options: { json: false, allow: [], ...options }, operands })
})

test.for<[line: string, message: string]>([
  ['', `option '--rules <file>...' is missing for 'tripline detect'`],
  ['--rules', `option '--rules' needs a value: <file>...`],
  ['--rules --stats', `option '--rules' needs a value: <file>...`],
  ['--rules a --input', `option '--input' needs a value: <file|->`],
  ['--rules a --input=', `option '--input' needs a value: <file|->`],
  ['--rules a --output xml', `option '--output' is 'xml'; it takes one of ndjson, table`],
  ['--rules a --input x --input y', `option '--input' is given more than once`],
  ['--rules a --output table --output table', `option '--output' is given more than once`],
  ['--rules a --level', `option '--level' needs a value: <level>`],
  ['--rules a --stats=yes', `option '--stats' takes no value`],
  ['--rules a --stat', `unknown option '--stat' for 'tripline detect'; did you mean '--stats'?`],
  ['--rules a --format table', `unknown option '--format' for 'tripline detect'; did you mean '--output'?`],
  ['--rules a -o table', `unknown option '-o' for 'tripline detect'; did you mean '--output'?`],
  ['--rules a -x', `unknown option '-x' for 'tripline detect'`],
  ['--rules a --constructor', `unknown option '--constructor' for 'tripline detect'`],
  ['--rules a --__proto__', `unknown option '--__proto__' for 'tripline detect'`],
  ['--rules a --stats b', `unexpected argument 'b' for 'tripline detect'; name events with '--input'`],
  ['b --rules a', `unexpected argument 'b' for 'tripline detect'; name events with '--input'`],
])('detect %s is refused', ([line, message]) => {
  const refusal = new ExitError(2, message)
  expect(() => parseArguments(line.split(' ').filter((part) => part !== ''), detect, program)).toThrow(refusal)
})

test.for<[line: string, message: string]>([
  ['--json', `'tripline check' needs <rules>...`],
  ['--rules a', `'tripline check' takes rules without '--rules': tripline check <rules>...`],
  ['--rule a', `'tripline check' takes rules without '--rule': tripline check <rules>...`],
])('check %s is refused', ([line, message]) => {
  expect(() => parseArguments(line.split(' '), check, program)).toThrow(new ExitError(2, message))
})
