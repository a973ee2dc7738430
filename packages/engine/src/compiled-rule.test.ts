import { expect, test } from 'vitest'
import { compileRules } from './compile-rules.ts'
import type { CompileOptions } from './compile-rules.ts'

const text = 'title: T\ntags: [a.b]\nlogsource: {product: p}\ndetection: {s: {"a[any].b": x}, condition: s}\n'
const collection = `---\naction: global\nlevel: low\nlogsource: {product: p}\n---\n${text}---\naction: repeat\ntitle: U\nreferences: [r]`

/** Each rule of a text: its title and attributes, and the kinds of its selections' parts. */
function attributes(source: string, options?: CompileOptions): string[] {
  return compileRules([{ text: source }], options).ruleSet.rules.map(({ rule }) => {
    const { title, level, tags, references, logsource, detection } = rule
    const kinds = Array.from(detection.selections.values(), ({ body }) => (body.kind === 'all' ? body.of[0]!.kind : body.kind))
    return JSON.stringify([title, level, tags, references, logsource, kinds.join()])
  })
}

test.for<[what: string, source: string, options: CompileOptions, want: string[]]>([
  ['of a rule alone in its text', text, {}, ['["T",null,["a.b"],[],{"product":"p"},"item"]']],
  ['of a rule with array syntax', text, { arraySyntax: true }, ['["T",null,["a.b"],[],{"product":"p"},"elements"]']],
  ['of a rule collection, after its actions', collection, {}, [
    '["T","low",["a.b"],[],{"product":"p"},"item"]',
    '["U","low",["a.b"],["r"],{"product":"p"},"item"]',
  ]],
])('parses the attributes %s on demand', ([, source, options, want]) => {
  expect(attributes(source, options)).toEqual(want)
})

test('returns equal attributes twice', () => {
  const [rule] = compileRules([{ text }]).ruleSet.rules
  expect(rule!.rule).toEqual(rule!.rule)
})

test('calls onRule only for rules that compile', () => {
  const told: (readonly [id: string, title: string])[] = []
  const texts = [text, text.replace('title: T', 'title: other'), text.replace('condition: s', 'condition: missing')]
  const identified = texts.map((one, i) => ({ text: `id: 0198f1c0-7a10-4c3e-9b1e-2f6a3a1f000${i === 1 ? 0 : i}\n${one}` }))
  const { ruleSet } = compileRules(identified, { onRule: (id, rule) => told.push([id, rule.title]) })
  expect(told).toEqual(ruleSet.rules.map(({ id, title }) => [id, title]))
  expect(told).toHaveLength(2)
})
