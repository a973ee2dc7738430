import { expect, test } from 'vitest'
import { splitSource } from './split-source.ts'

const one = 'title: A\nlogsource: {product: p}\n'

test.for<[what: string, text: string, paths: readonly string[]]>([
  ['one document', one, ['a.yml']],
  ['one that begins with its marker', `---\n${one}`, ['a.yml']],
  ['one that ends with its marker', `${one}...\n`, ['a.yml']],
  ['two', `${one}---\ntitle: B\n`, ['a.yml', 'a.yml#2']],
  ['two, after a marker of their own', `---\n${one}---\ntitle: B\n`, ['a.yml', 'a.yml#2']],
  ['a marker in a text', 'title: A\ndescription: |\n  ---\n  b\n', ['a.yml']],
  ['documents that act on others', `action: global\n---\n${one}`, ['a.yml']],
  ['no YAML', 'title: [\n---\n', ['a.yml']],
])('%s', ([, text, paths]) => {
  const parts = splitSource({ path: 'a.yml', text })
  expect(parts.map(({ path }) => path)).toEqual(paths)
  if (parts.length === 1) expect(parts[0]?.text).toBe(text)
})
