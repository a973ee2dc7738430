import { expect, test } from 'vitest'
import { completeRule } from './complete-rule.ts'

const rule = (detection: string): string =>
  `title: A\nlogsource:\n    category: image_load\n    product: windows\ndetection:\n    selection:\n${detection}`

/** A text with the cursor at `^`, and the first suggestions. */
test.for<[title: string, text: string, first: readonly string[]]>([
  ['an attribute', 'ti^', ['title', 'description']],
  ['a level', 'title: A\nlevel: h^', ['high']],
  ['a status', 'status: exp^', ['experimental']],
  ['a product', 'logsource:\n    product: win^', ['windows']],
  ['a key of the log source', 'logsource:\n    cat^', ['category']],
  ['a tactic as tag', 'tags:\n    - attack.exec^', ['attack.execution']],
  ['a tag in the column of its key', 'tags:\n- attack.exec^', ['attack.execution']],
  ['a field of the events', rule('        Some^'), ['SomethingSeen']],
  ['a field of the category', rule('        ImageLoad^'), ['ImageLoaded']],
  ['a field in a list of maps', rule('        - ImageLoad^'), ['ImageLoaded']],
  ['a modifier', rule('        Image|ends^'), ['endswith']],
  ['a second modifier', rule('        Image|contains|al^'), ['all']],
  ['a selection in the condition', rule('        Image: a\n    other: { Image: b }\n    condition: selection and o^'), ['other', 'or']],
  ['a selection that stands below', 'detection:\n    condition: sel^\n    selection:\n        Image: a', ['selection']],
  ['a field in a map of one line', rule('').replace('    selection:\n', '    selection: { ImageLoad^'), ['ImageLoaded']],
  ['a second field in a map of one line', rule('').replace('    selection:\n', "    selection: { User: 'a, b: c', ImageLoad^"), ['ImageLoaded']],
  ['a modifier in a map of one line', rule('').replace('    selection:\n', '    selection: { Image|ends^'), ['endswith']],
  ['a field of a category in one line', 'logsource: { category: image_load }\ndetection:\n    selection: { ImageLoad^', ['ImageLoaded']],
  ['a field in a list of maps of one line', rule('        - { ImageLoad^'), ['ImageLoaded']],
  ['a key of a log source of one line', 'logsource: { product: windows, cat^', ['category']],
  ['a product in a log source of one line', 'logsource: { product: win^', ['windows']],
  ['a type of correlation', 'correlation:\n    type: temporal_^', ['temporal_ordered']],
])('%s', ([, text, first]) => {
  const offset = text.indexOf('^')
  const whole = text.replace('^', '')
  const found = completeRule(whole, offset, { fields: ['SomethingSeen'] })
  expect(found?.suggestions.slice(0, first.length).map((one) => one.text)).toEqual(first)
  expect(found?.to).toBe(offset)
})

test.for<[title: string, text: string]>([
  ['free text', 'title: Some^'],
  ['a value of a field', rule('        Image: C^')],
  ['a value in a map of one line', rule('').replace('    selection:\n', '    selection: { Image: ti^')],
  ['a list in a map of one line', rule('').replace('    selection:\n', '    selection: { Image: [a, ti^')],
  ['a list of values', rule('        Image:\n            - ti^')],
])('nothing in %s', ([, text]) => {
  expect(completeRule(text.replace('^', ''), text.indexOf('^'), { fields: [] })).toBeUndefined()
})
