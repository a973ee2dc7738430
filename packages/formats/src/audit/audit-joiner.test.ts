import type { EventObject } from '@tripline/engine'
import { describe, expect, test } from 'vitest'
import { AuditJoiner, readAuditHead } from './audit-joiner.ts'
import type { JoinedEntry } from './audit-joiner.ts'
import { addAuditFields, readAuditRecord } from './read-audit-record.ts'

const at = 'msg=audit(1763632800.123:77):'
const call = `type=SYSCALL ${at} arch=c000003e syscall=59 success=yes a0=55d0 a1=55d8 items=2 pid=9 comm="nc" exe="/usr/bin/nc" key="x"`
const args = `type=EXECVE ${at} argc=2 a0="nc" a1="-l"`
const folder = `type=CWD ${at} cwd="/srv"`
const path = `type=PATH ${at} item=0 name="/usr/bin/nc" nametype=NORMAL`
const parent = `type=PATH ${at} item=0 name="/srv" nametype=PARENT`
const created = `type=PATH ${at} item=1 name="/srv/x" nametype=CREATE`
const title = `type=PROCTITLE ${at} proctitle=6E63002D6C`
const other = call.replace(':77', ':78')

function eventOf(line: string): EventObject {
  const read = readAuditRecord(line)
  return read !== undefined && 'event' in read ? read.event : { line }
}

function open(heldMax = 100): { readonly add: (...lines: readonly string[]) => void; readonly joiner: AuditJoiner<string> } {
  const joiner = new AuditJoiner<string>({ heldMax, read: eventOf })
  return { joiner, add: (...lines) => lines.forEach((line) => joiner.add(line, readAuditHead(eventOf(line)))) }
}

/** What was taken, by the number of records of each event. */
function print(taken: readonly JoinedEntry<string>[]): readonly number[] {
  return taken.map(({ joined }) => (joined === 'none' ? 1 : joined === 'before' ? 0 : joined.entries.length))
}

function join(...lines: readonly string[]): readonly EventObject[] {
  const { add, joiner } = open()
  add(...lines)
  return joiner.take(() => true).flatMap(({ entry, joined }) => (
    joined === 'before' ? [] : [joined === 'none' ? eventOf(entry) : joined.event]
  ))
}

describe('records of one audit event are one event', () => {
  test.for<[title: string, lines: readonly string[], events: readonly object[]]>([
    ['a command with what it was called by', [call, args, folder, path, title], [{
      '@timestamp': '2025-11-20T10:00:00.123Z', serial: '77', type: ['SYSCALL', 'EXECVE', 'CWD', 'PATH', 'PROCTITLE'],
      a0: 'nc', a1: '-l', syscall_a0: '55d0', syscall_a1: '55d8', exe: '/usr/bin/nc', cwd: '/srv', name: '/usr/bin/nc', proctitle: 'nc -l', key: 'x',
    }]],
    ['registers keep their names where nothing is executed', [call, folder], [{ type: ['SYSCALL', 'CWD'], a0: '55d0' }]],
    ['of several paths the one that the call is about', [call, parent, created], [
      { type: ['SYSCALL', 'PATH'], name: '/srv/x', nametype: 'CREATE', item: '1' }, { type: 'PATH', name: '/srv', nametype: 'PARENT' },
    ]],
    ['a long command over several records', [
      call, `type=EXECVE ${at} argc=4 a0="sh" a1="-c" a2_len=12 a2[0]="curl x"`, `type=EXECVE ${at} a2[1]="test "`, `type=EXECVE ${at} a2[2]=7C7368 a3="end"`, title,
    ], [{
      type: ['SYSCALL', 'EXECVE', 'PROCTITLE'], argc: '4', a0: 'sh', a1: '-c', a2: 'curl xtest |sh', a2_len: '12', a3: 'end', syscall_a0: '55d0',
    }]],
    ['a part that never comes', [call, `type=EXECVE ${at} argc=1 a0_len=9 a0[0]="one"`, `type=EXECVE ${at} a0[2]="three"`], [
      { 'a0[0]': 'one', 'a0[2]': 'three' },
    ]],
    ['the rest that never comes', [call], [{ type: 'SYSCALL', a0: '55d0' }]],
    ['others between them', [call, other, args, title], [{ serial: '77', type: ['SYSCALL', 'EXECVE', 'PROCTITLE'] }, { serial: '78', type: 'SYSCALL' }]],
    ['not those of another host', [`node=a ${call}`, `node=b ${args}`], [{ node: 'a', type: 'SYSCALL' }, { node: 'b', type: 'EXECVE' }]],
    ['not what programs send, even of one number', [`type=USER_AVC ${at} pid=1`, `type=USER_AVC ${at} cmd=2`], [{ pid: '1' }, { cmd: '2' }]],
  ])('%s', ([, lines, events]) => {
    const joined = join(...lines)
    expect(joined).toMatchObject(events)
    expect(joined.length).toBe(events.length)
  })

  test('what shippers add to each line is that of the first, and their texts are kept', () => {
    const joiner = new AuditJoiner<EventObject>({ heldMax: 9, read: (event) => event })
    for (const [offset, message] of [call, args].entries()) {
      const event = addAuditFields({ '@timestamp': '2025-11-20T10:00:07Z', log: { offset }, message }) ?? {}
      joiner.add(event, readAuditHead(event))
    }
    const [first] = joiner.take(() => true)
    expect(first?.joined).toMatchObject({ event: { '@timestamp': '2025-11-20T10:00:00.123Z', log: { offset: 0 }, message: `${call}\n${args}` } })
  })
})

describe('entries come in order', () => {
  test('those behind an audit event wait for its last record', () => {
    const { add, joiner } = open()
    add('a', call, 'b')
    expect(print(joiner.take())).toEqual([1])
    add(args, title, 'c')
    expect(print(joiner.take())).toEqual([3, 1, 0, 0, 1])
  })

  test('no more wait than may', () => {
    const { add, joiner } = open(2)
    add(call, 'a')
    expect(print(joiner.take())).toEqual([])
    add('b')
    expect(print(joiner.take())).toEqual([1, 1, 1])
  })

  test('an audit event that is due waits no longer, and what comes later is by itself', () => {
    const { add, joiner } = open()
    add(call, args, other, folder)
    expect(print(joiner.take((first) => first === call))).toEqual([3, 0])
    add(title)
    expect(print(joiner.take(() => true))).toEqual([1, 0, 1])
  })

  test('records that together exceed the limits of an event stay apart', () => {
    const { add, joiner } = open()
    const half = 'x'.repeat(600_000)
    add(`${call} subj=${half}`, `${folder} obj=${half}`)
    expect(print(joiner.take(() => true))).toEqual([1, 1])
  })
})
