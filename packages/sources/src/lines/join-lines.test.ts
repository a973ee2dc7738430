import { expect, test } from 'vitest'
import { decodeLine } from './decode-line.ts'
import { countUnfinishedRecords, joinLines } from './join-lines.ts'

const record = (type: string, serial = 1): string => `type=${type} msg=audit(1763632800.123:${serial}): ${type.toLowerCase()}="x"`

function join(...lines: readonly string[]): unknown[] {
  const decoded = lines.map((line) => decodeLine(Buffer.from(line), { format: 'auto', logsource: undefined, receivedAt: 0, hostname: 'h' }))
  return joinLines(decoded).map((bytes) => {
    const { type, message } = JSON.parse(Buffer.from(bytes).toString()) as { readonly type?: unknown; readonly message?: unknown }
    return type ?? message
  })
}

test('the records of an audit event are one event in the place of the first, and problems none', () => {
  expect(join('a', record('SYSCALL'), 'b', '', record('CWD'), record('SYSCALL', 2))).toEqual(['a', ['SYSCALL', 'CWD'], 'b', 'SYSCALL'])
})

test.for<[lines: readonly string[], count: number]>([
  [[], 0], [['a'], 0], [[record('SYSCALL'), 'a'], 0], [[record('SYSCALL')], 1], [['a', record('SYSCALL'), record('CWD')], 2],
  [[record('SYSCALL', 1), record('SYSCALL', 2)], 1], [[record('SYSCALL'), record('PROCTITLE')], 0], [[record('EOE')], 0], [[record('USER_CMD')], 0],
])('of %j the last %i wait for others', ([lines, count]) => {
  expect(countUnfinishedRecords(lines.map((line) => Buffer.from(line)))).toBe(count)
})
