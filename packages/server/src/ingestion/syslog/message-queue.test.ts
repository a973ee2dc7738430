import type { RawEvent } from '@tripline/detection/stages/event-message'
import type { IngestCounts } from '@tripline/model/connector'
import { limits } from '@tripline/formats/limits'
import { beforeEach, describe, expect, test } from 'vitest'
import { MessageQueue } from './message-queue.ts'

let now: number
let sleepCount: number
let ingested: unknown[]
let counts: IngestCounts
let queue: MessageQueue
beforeEach(() => {
  [now, sleepCount, ingested, counts] = [1_000_000, 0, [], { receivedCount: 0, refusedCount: 0, byteCount: 0 }]
  queue = new MessageQueue({
    pipeline: { ingest: (_tenant, events) => Promise.resolve({ lastOffset: ingested.push(...events.map(readTypes)) }) },
    turns: { next: () => Promise.resolve(0), elapsedMs: () => 0 },
    now: () => now, log: { info: () => {}, warn: () => {}, error: () => {} },
    sleep: () => new Promise((resolve) => void setImmediate(() => resolve(void sleepCount++))),
  }, {
    tenant: 'default', connectorId: 'c1', format: 'auto', onRoom: () => {},
    record: (added) => {
      const { receivedCount, refusedCount, byteCount } = counts
      counts = {
        receivedCount: receivedCount + added.receivedCount, refusedCount: refusedCount + added.refusedCount, byteCount: byteCount + added.byteCount,
      }
    },
  })
})

function readTypes({ bytes }: RawEvent): unknown {
  const { type, message } = JSON.parse(Buffer.from(bytes).toString()) as { readonly type?: unknown; readonly message?: unknown }
  return type ?? message
}

const record = (serial: number, type: string): string => `<13>Nov 20 10:00:00 h audispd: type=${type} msg=audit(1763632800.123:${serial}): x="${serial}"`

function send(...texts: readonly string[]): void {
  for (const text of texts) expect(queue.add(Buffer.from(text), '192.0.2.1')).toBe(true)
}

/** Until the queue has looked several times, without an end. */
async function settle(): Promise<void> {
  const before = sleepCount
  await expect.poll(() => sleepCount).toBeGreaterThan(before + 5)
}

describe('records of an audit event', () => {
  test('wait for the others, and are counted as they came', async () => {
    send('<13>Nov 20 10:00:00 h a: first', record(1, 'SYSCALL'))
    await settle()
    expect(ingested).toEqual(['first'])
    send(record(1, 'CWD'), record(1, 'PROCTITLE'), '', '<13>Nov 20 10:00:00 h a: last')
    await expect.poll(() => ingested).toEqual(['first', ['SYSCALL', 'CWD', 'PROCTITLE'], 'last'])
    expect(counts).toMatchObject({ receivedCount: 5, refusedCount: 1 })
    expect(await queue.close()).toBe(0)
  })

  test('wait as long as the limit says for what never comes', async () => {
    send(record(1, 'SYSCALL'), '<13>Nov 20 10:00:00 h a: behind')
    await settle()
    now += limits.audit.gatherMs - 1
    await settle()
    expect(ingested).toEqual([])
    now++
    await expect.poll(() => ingested).toEqual(['SYSCALL', 'behind'])
  })

  test('are taken when the queue closes', async () => {
    send(record(1, 'SYSCALL'))
    expect(await queue.close()).toBe(0)
    expect(ingested).toEqual(['SYSCALL'])
  })

  test('do not hold up more messages than may wait', async () => {
    send(record(1, 'SYSCALL'), ...Array.from({ length: limits.audit.heldRecordsMax }, (_, i) => `<13>Nov 20 10:00:00 h a: ${i}`))
    await expect.poll(() => ingested.length).toBe(limits.audit.heldRecordsMax + 1)
  })
})
