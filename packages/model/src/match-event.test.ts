import { normalizeEvent } from '@tripline/engine/evaluate'
import { expect, test } from 'vitest'
import { extractMatchEvent } from './match-event.ts'

/** What a match shows of an event, without what is empty. */
function shown(event: { readonly [field: string]: unknown }): object {
  return Object.fromEntries(Object.entries(extractMatchEvent(normalizeEvent(event, 'auto'), 8)).filter(([, text]) => text !== ''))
}

test.for<[title: string, event: { readonly [field: string]: unknown }, shown: object]>([
  ['Sysmon', { Image: 'C:\\a\\b.exe', CommandLine: 'b -x', User: 'U\\u', Computer: 'pc', UtcTime: 'now' },
    { processName: 'b.exe', commandLine: 'b -x', user: 'U\\u', host: 'pc', statedTime: 'now' }],
  ['the console', { process_name: 'a', command_line: 'b', user: 'c', host: 'd' },
    { processName: 'a', commandLine: 'b', user: 'c', host: 'd' }],
  ['ECS, nested', { process: { name: 'a', command_line: 'b' }, user: { name: 'c' }, host: { name: 'd' } },
    { processName: 'a', commandLine: 'b', user: 'c', host: 'd' }],
  ['ECS, dotted', { 'process.executable': '/bin/a', 'user.name': 'c' }, { processName: 'a', user: 'c' }],
  ['a number', { user: 0 }, { user: '0' }],
  ['an empty text before a full one', { user: '', User: 'u' }, { user: 'u' }],
  ['a text over the bound', { host: '0123456789' }, { host: '01234567' }],
  ['nothing to show', { a: 1, Image: null, user: [], host: {} }, {}],
  ['names of the prototype', { constructor: 1 }, {}],
])('%s', ([, event, expected]) => {
  expect(shown(event)).toEqual(expected)
})
