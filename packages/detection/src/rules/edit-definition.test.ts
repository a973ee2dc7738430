import { readYaml } from '@tripline/engine/yaml'
import type { YamlNode } from '@tripline/engine/yaml'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { editDefinition, editDescription } from './edit-definition.ts'

const rule = `# Ours since spring.
title: Encoded PowerShell # as people say
id: 0198f1c0-7a10-4c3e-9b1e-2f6a3a1f0001

# Where it happens.
logsource:
    category: process_creation
    product: windows
detection:
    selection:
        Image|endswith: '\\powershell.exe'   # both of them
    # What it is about.
    condition: selection
# Who does this on purpose.
falsepositives:
    - Administrators

level: high
`

const edit = (text: string, edits: { readonly [name: string]: unknown }) => editDefinition(text, new Map(Object.entries(edits)))

describe('edits of a rule change the lines that they are about', () => {
  test.for<[title: string, edits: { readonly [name: string]: unknown }, lines: readonly string[]]>([
    ['a word, beside its comment', { title: 'Encoded commands' }, [
      '-title: Encoded PowerShell # as people say', '+title: Encoded commands # as people say']],
    ['a word at the end', { level: 'low' }, ['-level: high', '+level: low']],
    ['a text that needs quotes', { title: 'a: b' }, ['-title: Encoded PowerShell # as people say', "+title: 'a: b' # as people say"]],
    ['a text of two lines', { title: 'a\nb' }, ['-title: Encoded PowerShell # as people say', '+title: |-', '+    a', '+    b']],
    ['a map, whose comments go with it', { logsource: { category: 'image_load' } }, [
      '-    category: process_creation', '-    product: windows', '+    category: image_load']],
    ['a detection, before the comment of the next', { detection: { s: { Image: ['a', 'b*'] }, condition: 's' } }, [
      '-    selection:', "-        Image|endswith: '\\powershell.exe'   # both of them", '-    # What it is about.', '-    condition: selection',
      '+    s:', '+        Image:', '+            - a', '+            - b*', '+    condition: s']],
    ['something new, where it mostly stands', { status: 'test' }, ['+status: test']],
    ['a list that is new', { tags: ['attack.t1059'] }, ['+tags:', '+    - attack.t1059']],
    ['something that rules do not have', { owner: 'SOC' }, ['+owner: SOC']],
    ['nothing left of a list', { falsepositives: undefined }, ['-falsepositives:', '-    - Administrators']],
    ['two at once', { level: 'low', title: 'x' }, [
      '-title: Encoded PowerShell # as people say', '-level: high', '+title: x # as people say', '+level: low']],
    ['what it says already', { level: 'high', logsource: { product: 'windows', category: 'process_creation' } }, []],
    ['what it does not have', { author: undefined }, []],
  ])('%s', ([, edits, lines]) => {
    const edited = edit(rule, edits)
    const [before, after] = [rule.split('\n'), edited.split('\n')]
    const gone = before.filter((line) => !after.includes(line)).map((line) => `-${line}`)
    const added = after.filter((line) => !before.includes(line)).map((line) => `+${line}`)
    expect([...gone, ...added]).toEqual(lines)
  })

  test('something new stands behind what mostly stands before it', () => {
    expect(edit(rule, { status: 'test' })).toContain('0001\nstatus: test\n\n# Where')
    expect(edit(rule, { tags: ['a.b'] })).toContain('0001\ntags:\n    - a.b\n\n# Where')
    expect(edit(rule, { owner: 'SOC' })).toContain('level: high\nowner: SOC\n')
    expect(edit('level: low', { title: 'x' })).toBe('title: x\nlevel: low')
    expect(edit('title: x', { level: 'low' })).toBe('title: x\nlevel: low\n')
  })
})

describe('a text that cannot be edited line by line has the right content', () => {
  test.for<[title: string, text: string, edits: { readonly [name: string]: unknown }, after: string]>([
    ['in braces', '{ title: a, level: low }', { level: 'high' }, 'title: a\nlevel: high\n'],
    ['an anchor that is used elsewhere', 'detection: &d { a: 1 }\nother: *d\n', { detection: { b: 1 } }, 'detection:\n    b: 1\nother:\n    a: 1\n'],
    ['a map that is merged in', 'base: &b { level: low }\n<<: *b\ntitle: x\n', { level: 'high' }, 'base:\n    level: low\nlevel: high\ntitle: x\n'],
    ['behind a marker', '---\ntitle: a\n...\n', { level: 'low' }, '---\ntitle: a\nlevel: low\n...\n'],
    ['indented', '  title: a\n  level: low\n', { level: 'high', status: 'test' }, '  title: a\n  status: test\n  level: high\n'],
    ['with a block that keeps its blank lines', 'description: |+\n  a\n\n\nlevel: low\n', { level: 'high' }, 'description: |+\n  a\n\n\nlevel: high\n'],
    ['a folded text', 'title: a\n  b\nlevel: low\n', { title: 'c' }, 'title: c\nlevel: low\n'],
    ['a quoted key', '"level": low\n', { level: 'high' }, '"level": high\n'],
  ])('%s', ([, text, edits, after]) => {
    expect(edit(text, edits)).toBe(after)
  })
})

test('every edit keeps all other content', () => {
  const word = fc.stringMatching(/^[a-z]{1,8}$/)
  const scalar = fc.oneof(fc.string(), word, fc.integer(), fc.boolean(), fc.constantFrom('yes', '~', '- a', '# x', 'a # b', "it's", '"', '\\', '1e3', ''))
  const value = fc.oneof(scalar, fc.array(scalar, { maxLength: 3 }), fc.dictionary(word, scalar, { maxKeys: 3 }))
  const comment = fc.constantFrom('', '# a comment\n', '\n', '    # an indented one\n')
  const entry = fc.tuple(comment, fc.constantFrom('title', 'level', 'tags', 'detection', 'tests', 'other'), value)
  const edits = fc.dictionary(fc.constantFrom('title', 'level', 'tags', 'detection', 'status', 'other'), fc.option(value, { nil: undefined }))
  fc.assert(fc.property(fc.uniqueArray(entry, { selector: ([, name]) => name, minLength: 1 }), edits, (entries, changes) => {
    const text = entries.map(([before, name, said]) => `${before}${name}: ${JSON.stringify(said)}\n`).join('')
    const expected = new Map(entries.map(([, name, said]): [string, unknown] => [name, said]))
    for (const [name, changed] of Object.entries(changes)) {
      if (changed === undefined) expected.delete(name)
      else expected.set(name, changed)
    }
    if (expected.size === 0) return
    const { documents: [document] = [] } = readYaml(edit(text, changes))
    expect(plain(document)).toEqual(Object.fromEntries(expected))
  }), { numRuns: 500, seed: 28 })
})

test.for<[title: string, text: string]>([
  ['no YAML', 'a: [1'],
  ['two documents', 'a: 1\n---\nb: 2\n'],
  ['a list', '- a\n'],
  ['nothing', ''],
])('%s is rejected', ([, text]) => {
  expect(() => edit(text, { title: 'x' })).toThrow(expect.objectContaining({ code: 'INVALID_RULE' }))
})

function plain(node: YamlNode | undefined): unknown {
  if (node === undefined) return undefined
  if (node.kind === 'scalar') return node.value
  if (node.kind === 'list') return node.items.map(plain)
  return Object.fromEntries(node.entries.map(({ key, value }) => [key, plain(value)]))
}

describe('what describes a rule is changed, and not what it detects', () => {
  const erase = (text: string): string => text.replaceAll(/ann/gi, '[erased]')
  test.for<[title: string, before: string, after: string]>([
    ['an author at the begin of a plain text', 'author: Ann Smith, Bob\n', "author: '[erased] Smith, Bob'\n"],
    ['an author in a list', 'author: [Ann, Bob]\n', "author:\n    - '[erased]'\n    - Bob\n"],
    ['a description of lines', 'description: |\n    First.\n    Ask Ann.\nlevel: low\n', 'description: |\n    First.\n    Ask [erased].\nlevel: low\n'],
    ['comments', '# By Ann.\nlevel: low # says ann\n', '# By [erased].\nlevel: low # says [erased]\n'],
    ['but not a value with a number sign', 'detection:\n    s:\n        User: "ann #ann"\n', 'detection:\n    s:\n        User: "ann #ann"\n'],
    ['and not what is detected', 'author: Ann\ndetection:\n    s:\n        User: ann # Ann\n    condition: s\n',
      "author: '[erased]'\ndetection:\n    s:\n        User: ann # [erased]\n    condition: s\n"],
    ['a text that is no rule, everywhere', 'a: [Ann', 'a: [[erased]'],
  ])('%s', ([, before, after]) => {
    expect(editDescription(before, erase)).toBe(after)
    expect(editDescription(after, erase)).toBe(after)
  })
})
