import { expect, test } from 'vitest'
import { HandledMessages } from './handled-messages.ts'

/** Handled messages as `tenant offset`, then what the bus says: committed offset and lag. */
test.for<[title: string, handled: readonly string[], committed: number, lag: object, handledCount: number, left: object]>([
  ['nothing handled', [], 3, { a: 4 }, 3, { a: 4 }],
  ['handled and not committed', ['a 3', 'a 4', 'b 5'], 3, { a: 4, b: 1 }, 6, { a: 2 }],
  ['committed meanwhile', ['a 0', 'a 1', 'a 2', 'a 3'], 3, { a: 1, b: 2 }, 4, { b: 2 }],
  ['one tenant ahead of another', ['b 7', 'b 9', 'a 3', 'b 8'], 3, { a: 3, b: 4 }, 7, { a: 2, b: 1 }],
  ['all committed', ['a 0', 'b 1'], 2, {}, 2, {}],
])('%s', ([, handled, committedOffset, lag, handledCount, left]) => {
  const messages = new HandledMessages()
  for (const text of handled) {
    const [tenant = '', offset] = text.split(' ')
    messages.add([{ tenant, offset: Number(offset) }])
  }
  const progress = messages.getProgress({ committedOffset, lag: new Map(Object.entries(lag)) })
  expect([progress.handledCount, Object.fromEntries(progress.lag)]).toEqual([handledCount, left])
})

test('forgets what is committed', () => {
  const messages = new HandledMessages()
  for (let offset = 0; offset < 10; offset++) {
    messages.add([{ tenant: offset % 2 === 0 ? 'a' : 'b', offset }])
    messages.getProgress({ committedOffset: offset + 1, lag: new Map() })
  }
  expect(messages.getProgress({ committedOffset: 0, lag: new Map([['a', 5]]) })).toEqual({ handledCount: 0, lag: new Map([['a', 5]]) })
})
