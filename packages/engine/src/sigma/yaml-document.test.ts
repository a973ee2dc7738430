import { describe, expect, test } from 'vitest'
import { limits } from '../limits.ts'
import { LineIndex, readYaml } from './yaml-document.ts'
import type { YamlNode } from './yaml-document.ts'

/** A node as plain data; maps as lists of pairs, so that order and odd keys show. */
function plain(node: YamlNode): unknown {
  if (node.kind === 'scalar') return node.value
  if (node.kind === 'list') return node.items.map(plain)
  return { map: node.entries.map(({ key, value }) => [key, plain(value)]) }
}

function read(text: string): unknown {
  const { documents, problem } = readYaml(text)
  return problem === undefined ? documents.map(plain) : problem.message
}

describe('readYaml', () => {
  test.for<[string, unknown]>([
    ['a: 1', [{ map: [['a', 1]] }]],
    ['a: 0x10', [{ map: [['a', 16]] }]],
    ['a: 1e3', [{ map: [['a', 1000]] }]],
    ['a: yes', [{ map: [['a', 'yes']] }]],
    ['a: true', [{ map: [['a', true]] }]],
    ['a: ~', [{ map: [['a', null]] }]],
    ['a:', [{ map: [['a', null]] }]],
    ["a: ''", [{ map: [['a', '']] }]],
    ["a: '1'", [{ map: [['a', '1']] }]],
    ['a: 2024-01-02', [{ map: [['a', '2024-01-02']] }]],
    ['1: x\n0x10: y\nyes: z\n~: n', [{ map: [['1', 'x'], ['0x10', 'y'], ['yes', 'z'], ['~', 'n']] }]],
    ["'|all': [a, b]", [{ map: [['|all', ['a', 'b']]] }]],
    ['__proto__: 1\nconstructor: 2', [{ map: [['__proto__', 1], ['constructor', 2]] }]],
    ['a: 1\n---\nb: 2\n---\n', [{ map: [['a', 1]] }, { map: [['b', 2]] }]],
    ['# nothing', []],
    ['', []],
    ['\ufeffa: 1', [{ map: [['a', 1]] }]],
    ['a: &x [1, 2]\nb: *x', [{ map: [['a', [1, 2]], ['b', [1, 2]]] }]],
    ['a: &x {p: 1, q: 2}\nb: {<<: *x, q: 3}', [{ map: [['a', { map: [['p', 1], ['q', 2]] }], ['b', { map: [['p', 1], ['q', 3]] }]] }]],
    ['b: {q: 3, <<: {p: 1, q: 2}}', [{ map: [['b', { map: [['q', 3], ['p', 1]] }]] }]],
    ['b: {<<: [{p: 1}, {p: 2, r: 3}]}', [{ map: [['b', { map: [['p', 1], ['r', 3]] }]] }]],
    ['a: !!str 1', [{ map: [['a', '1']] }]],
  ])('reads %j', ([text, want]) => {
    expect(read(text)).toEqual(want)
  })

  const bomb = ['a: &a [x, x, x, x, x, x, x, x, x, x]', ...'bcdefgh'.split('').map((key, i) => {
    const inner = `*${'abcdefgh'[i]}`
    return `${key}: &${key} [${Array.from({ length: 10 }, () => inner).join(', ')}]`
  })].join('\n')

  test.for<[string, string, RegExp]>([
    ['duplicate keys', 'a: 1\na: 2', /the key 'a' twice/],
    ['a key that is a map', '? {a: 1}\n: 2', /a key must be a scalar/],
    ['an alias without a target', 'a: *x', /'\*x' has no complete anchor/],
    ['an alias to its own ancestor', 'a: &x [*x]', /'\*x' has no complete anchor/],
    ['a merge of a scalar', 'a: {<<: 1}', /must be a map/],
    ['a foreign tag', 'a: !!binary aGk=', /tag '!!binary'/],
    ['a foreign tag on a list', 'a: !!python/object [x]', /tag '!!python\/object'/],
    ['broken syntax', 'a: [1', /the YAML is not valid/],
    ['a tab as indentation', 'a:\n\tb: 1', /the YAML is not valid/],
    ['nesting', '['.repeat(40_000), new RegExp(`maxDepth \\(${limits.ruleDepthMax}\\)`)],
    ['an alias bomb', bomb, /nodes after its aliases are expanded/],
    ['many aliases', `a: &x 1\nb: [${'*x, '.repeat(limits.ruleAliasesMax + 1)}]`, /more than 100 aliases/],
    ['many documents', '--- 1\n'.repeat(limits.ruleDocumentsMax + 1), /more than 1000 documents/],
    ['a long text', `a: ${'x'.repeat(limits.ruleTextLengthMax)}`, /the limit is 1048576/],
    ['a NUL', 'a: \0', /null byte/],
  ])('rejects %s', ([, text, message]) => {
    expect(read(text)).toMatch(message)
  })

  test.for<[text: string, place: string, message: string]>([
    ["a: 'x\nb: 1\n", "1:4", "the text that begins with ' here is not closed"],
    ['l:\n  - "x\n  - y\n', '2:5', 'the text that begins with " here is not closed'],
    ["t: it isn't # 'so\na: 'it''s fine'\nb: 'x\nc: 1\n", '3:4', "the text that begins with ' here is not closed"],
    ['a: [1\nb: 2\n', '1:4', 'the list that begins with [ here is not closed'],
    ['a: {b: [1]', '1:4', 'the map that begins with { here is not closed'],
    [String.raw`a: "C:\Windows"`, '1:8', 'unknown escape sequence; write a text with backslashes in single quotes'],
    ["a: 'it's'\nb: 1\n", '1:8', 'bad indentation of a mapping entry; write a quote within single quotes twice'],
    ['a: %x\n', '1:4', 'bad indentation of a mapping entry; write a value that begins with % in quotes'],
    ['a: b: c\n', '1:5', "bad indentation of a mapping entry; write a value that has ': ' in quotes"],
    ['a: x\n b: y\n', '2:3', 'bad indentation of a mapping entry'],
  ])('names in %j where it is wrong and what to write', ([text, place, message]) => {
    const { problem } = readYaml(text)
    const { line, column } = new LineIndex(text).position(problem!.offset)
    expect([`${line}:${column}`, problem!.message]).toEqual([place, `the YAML is not valid: ${message}`])
  })

  test('records the positions of nodes and keys', () => {
    const text = "title: x\nlist:\n    - 'one'\n    - two\nempty:\n"
    const lines = new LineIndex(text)
    const { documents } = readYaml(text)
    const [root] = documents!
    if (root?.kind !== 'map') throw new Error('not a map')
    const places = root.entries.map(({ key, keyOffset, value }) => {
      const [at, from] = [lines.position(value.offset), lines.position(keyOffset)]
      return [key, `${from.line}:${from.column}`, `${at.line}:${at.column}`]
    })
    expect(places).toEqual([
      ['title', '1:1', '1:8'],
      ['list', '2:1', '3:5'],
      ['empty', '5:1', '5:1'],
    ])
  })
})
