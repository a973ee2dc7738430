import { auditOrigin } from '@tripline/model/audit'
import type { AuditPoint } from '@tripline/model/audit'
import { expect, test } from 'vitest'
import { checkTrail, hashRow } from './audit-check.ts'
import type { StoredTrail } from './audit-check.ts'
import type { AuditEntryRow } from './rows/audit-tables.ts'

/** A chain of entries, numbered from 1. */
function buildChain(count: number): readonly AuditEntryRow[] {
  const rows: AuditEntryRow[] = []
  for (let seq = 1; seq <= count; seq++) {
    const row: AuditEntryRow = {
      tenantId: 'a', seq, at: seq, actorType: 'user', actorId: 'u1', actorEmail: null, action: 'alert.update', targetType: 'alert',
      targetId: 'x', ip: null, userAgent: null, requestId: null, outcome: 'success', diff: null, version: 1, attestation: null,
      prevHash: rows.at(-1)?.hash ?? auditOrigin.hash, hash: '',
    }
    rows.push({ ...row, hash: hashRow('a', row) })
  }
  return rows
}

/** A trail with these entries, and the numbers of those that were read. */
function openTrail(rows: readonly AuditEntryRow[], ends: { readonly last: AuditPoint; readonly isSealed?: boolean }) {
  const read: number[] = []
  const { last, isSealed = true } = ends
  const trail: StoredTrail = {
    tenant: 'a', key: new Uint8Array(32), anchor: undefined,
    ends: async () => ({ ends: { first: auditOrigin, last }, isSealed }),
    rowsAfter: async (seq, limit) => {
      const found = rows.filter((row) => row.seq > seq).slice(0, limit)
      read.push(...found.map((row) => row.seq))
      return found
    },
    keysOf: async () => new Map(),
  }
  return { trail, read }
}

const chain = buildChain(5)
const lastOf = (rows: readonly AuditEntryRow[]): AuditPoint => ({ seq: rows.at(-1)!.seq, hash: rows.at(-1)!.hash })

test('entries that were valid while the trail grew are not read again while it stands still', async () => {
  const growing = openTrail(chain.slice(0, 3), { last: lastOf(chain.slice(0, 3)) })
  const still = openTrail(chain, { last: lastOf(chain) })
  expect(await checkTrail(growing.trail, (check) => check(still.trail))).toEqual({
    entryCount: 5, firstSeq: 1, lastSeq: 5, brokenAt: undefined, problem: undefined,
  })
  expect([growing.read, still.read]).toEqual([[1, 2, 3], [4, 5]])
})

test.for<[title: string, rows: readonly AuditEntryRow[], ends: { readonly last: AuditPoint; readonly isSealed?: boolean }]>([
  ['an entry seems changed', [chain[0]!, { ...chain[1]!, at: 99 }, ...chain.slice(2)], { last: lastOf(chain) }],
  ['an entry seems to be missing', [chain[0]!, ...chain.slice(2)], { last: lastOf(chain) }],
  ['the seal is that of another moment', chain, { last: lastOf(chain), isSealed: false }],
])('a trail that looks broken while it grows, because %s, is read from its start while it stands still', async ([, rows, ends]) => {
  const growing = openTrail(rows, ends)
  const still = openTrail(chain, { last: lastOf(chain) })
  const report = await checkTrail(growing.trail, (check) => check(still.trail))
  expect([report.problem, report.entryCount, still.read]).toEqual([undefined, 5, [1, 2, 3, 4, 5]])
})

test('what is broken while nothing changes is the problem of the trail', async () => {
  const rows = [...chain.slice(0, 3), { ...chain[3]!, at: 99 }, chain[4]!]
  const { trail } = openTrail(rows, { last: lastOf(chain) })
  expect(await checkTrail(trail, (check) => check(trail))).toEqual({
    entryCount: 3, firstSeq: 1, lastSeq: 3, brokenAt: 4, problem: 'entry 4 was modified',
  })
})
