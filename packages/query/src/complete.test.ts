import { describe, expect, test } from 'vitest'
import { completeQuery } from './complete.ts'
import type { CompletionCatalog } from './complete.ts'
import { limits } from './limits.ts'
import { parseQuery } from './parse.ts'

const catalog: CompletionCatalog = {
  fields: [
    { name: 'Image', type: 'text', topValues: [String.raw`C:\Windows\System32\cmd.exe`, String.raw`C:\Program Files\app.exe`, 'bash'] },
    { name: 'User', type: 'text', topValues: ['SYSTEM', 'or', 'say "hi"', ''] },
    { name: 'bytes', type: 'number', topValues: [512, 1024, '12'] },
    { name: 'Threat Name', type: 'text', topValues: ['Trojan'] },
    { name: '@timestamp', type: 'time', topValues: [] },
    { name: 'isUser', type: 'boolean', topValues: [true, false, null] },
  ],
}

/** Suggestions at the mark `|`, and the text with the first one put in. */
function completed(marked: string): [suggestions: string[], text: string] {
  const cursor = marked.indexOf('|')
  const text = marked.replace('|', '')
  const { suggestions, replaced } = completeQuery(text, cursor, catalog)
  const first = suggestions[0]?.text
  return [suggestions.map((one) => one.text), first === undefined ? text : text.slice(0, replaced.start) + first + text.slice(replaced.end)]
}

const fields = ['Image:', 'User:', 'bytes:', '"Threat Name":', '@timestamp:', 'isUser:']

describe('what may stand at the cursor', () => {
  test.for<[marked: string, suggestions: string[], text: string]>([
    ['|', ['NOT', ...fields], 'NOT'],
    ['us|', ['User:', 'isUser:'], 'User:'],
    ['n|', ['NOT', '"Threat Name":'], 'NOT'],
    ['a:1 |', ['AND', 'OR', 'NOT', ...fields], 'a:1 AND'],
    ['a:1 o|', ['OR'], 'a:1 OR'],
    ['a:1 OR |', ['NOT', ...fields], 'a:1 OR NOT'],
    ['NOT us|', ['User:', 'isUser:'], 'NOT User:'],
    ['(ima|', ['Image:'], '(Image:'],
    ['ima| AND b:2', ['Image:'], 'Image: AND b:2'],
    ['u|ser:x', ['User:', 'isUser:'], 'User:x'],
    ['"thr|', ['"Threat Name":'], '"Threat Name":'],
    ['zzz|', [], 'zzz'],
    ['"Threat Name":|', ['Trojan', '*'], '"Threat Name":Trojan'],
    ['"a:b|', [], '"a:b'],
    ['"bytesx|', [], '"bytesx'],

    ['User:|', ['SYSTEM', '"or"', String.raw`"say \"hi\""`, '""', '*'], 'User:SYSTEM'],
    ['User:sy|', ['SYSTEM'], 'User:SYSTEM'],
    ['User:"s|', ['SYSTEM', String.raw`"say \"hi\""`], 'User:SYSTEM'],
    [String.raw`Image:C:\Prog|`, [String.raw`"C:\Program Files\app.exe"`], String.raw`Image:"C:\Program Files\app.exe"`],
    ['Image:cmd|', [String.raw`C:\Windows\System32\cmd.exe`], String.raw`Image:C:\Windows\System32\cmd.exe`],
    ['bytes:|', ['512', '1024', '"12"', '*', '>=', '<=', '['], 'bytes:512'],
    ['bytes:>|', [], 'bytes:>'],
    ['isUser:|', ['true', 'false', 'null', '*'], 'isUser:true'],
    ['@timestamp:|', ['*', '>=', '<=', '['], '@timestamp:*'],
    ['"Threat Name":|', ['Trojan', '*'], '"Threat Name":Trojan'],
    ['process.executable:ba|', ['bash'], 'process.executable:bash'],
    ['other:|', [], 'other:'],

    ['User:(|', ['NOT', 'SYSTEM', '"or"', String.raw`"say \"hi\""`, '""', '*'], 'User:(NOT'],
    ['User:(a OR s|', ['SYSTEM', String.raw`"say \"hi\""`], 'User:(a OR SYSTEM'],
    ['User:(a |', ['AND', 'OR', 'NOT', 'SYSTEM', '"or"', String.raw`"say \"hi\""`, '""', '*'], 'User:(a AND'],
    ['User:((s|', ['SYSTEM', String.raw`"say \"hi\""`], 'User:((SYSTEM'],
    ['(User:(a) us|', ['User:', 'isUser:'], '(User:(a) User:'],
    ['User:((a) OR s|', ['SYSTEM', String.raw`"say \"hi\""`], 'User:((a) OR SYSTEM'],
    ['User:(a) us|', ['User:', 'isUser:'], 'User:(a) User:'],
  ])('%s', ([marked, suggestions, text]) => {
    expect(completed(marked)).toEqual([suggestions, text])
  })

  test('every value can be put in', () => {
    for (const { name, topValues } of catalog.fields) {
      if (topValues.length === 0) continue
      const { suggestions } = completeQuery(`"${name}":`, name.length + 3, catalog)
      const values = suggestions.filter(({ kind }) => kind === 'value')
      expect(values.length).toBe(topValues.length)
      for (const { text } of values) expect(() => parseQuery(`"${name}":${text} AND x`)).not.toThrow()
    }
  })

  test.for<[title: string, text: string, cursor: number, count: number]>([
    ['a cursor behind the end', 'us', 99, 2],
    ['a cursor before the start', 'us', -5, 7],
    ['no number', 'us', Number.NaN, 7],
    ['a text over the limit', 'a'.repeat(limits.queryBytesMax + 1), 3, 0],
    ['an open quote', 'a:"b c', 6, 0],
    ['an escape at the end', 'a\\', 2, 0],
    ['many parentheses', '('.repeat(4_000), 4_000, 7],
  ])('%s', ([, text, cursor, count]) => {
    expect(completeQuery(text, cursor, catalog).suggestions.length).toBe(count)
  })

  test('a large catalog is cut', () => {
    const many = { fields: Array.from({ length: 50_000 }, (_, i) => ({ name: `f${i}`, type: 'text' as const, topValues: [] })) }
    expect(completeQuery('f', 1, many).suggestions.length).toBe(limits.suggestionsMax)
    expect(completeQuery('f4999', 5, many).suggestions.map(({ text }) => text)).toEqual(['f4999:'])
  })
})
