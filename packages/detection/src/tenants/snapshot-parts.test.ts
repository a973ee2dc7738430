import type { TenantId } from '@tripline/model/tenant'
import type { CheckpointStore } from '@tripline/state/ports/checkpoint-store'
import { expect, test } from 'vitest'
import { limits } from '../limits.ts'
import { SnapshotParts, readSnapshotHeader } from './snapshot-parts.ts'
import type { SnapshotHeader } from './snapshot-parts.ts'

const owner = { tenant: 'a' as TenantId, stage: 'detect' }
const chunkBytes = limits.pipeline.snapshotPartBytes / 4

function openCheckpoints(): CheckpointStore & { readonly parts: CheckpointStore['parts']; readonly largest: () => number } {
  const kept = new Map<string, Uint8Array>()
  return {
    save: async (_tenant, _stage, { put, drop = [] }) => {
      for (const part of drop) kept.delete(part)
      for (const [part, bytes] of put) kept.set(part, bytes)
    },
    load: async (_tenant, _stage, part) => kept.get(part),
    parts: async () => [...kept.keys()].sort(),
    largest: () => Math.max(0, ...[...kept.values()].map(({ length }) => length)),
  }
}

/** A snapshot of some chunks, each full of one number. */
function chunksOf(fill: number, count: number): Uint8Array[] {
  return Array.from({ length: count }, () => new Uint8Array(chunkBytes).fill(fill))
}

async function save(checkpoints: CheckpointStore, parts: SnapshotParts, chunks: readonly Uint8Array[]): Promise<SnapshotHeader> {
  await parts.write(checkpoints, chunks)
  const { header, ...change } = parts.changes()
  await checkpoints.save(owner.tenant, owner.stage, change)
  parts.saved()
  return readSnapshotHeader(JSON.parse(JSON.stringify(header)))!
}

test.for<[title: string, counts: readonly number[]]>([
  ['a small one', [1]],
  ['one that is just one part', [4]],
  ['large ones', [5, 9, 30]],
  ['one that shrinks', [30, 30, 2, 1, 1]],
  ['one that grows again', [9, 1, 9, 9]],
  ['none', [0]],
])('keeps %s, in parts of a bounded size, and no more than two of them', async ([, counts]) => {
  const checkpoints = openCheckpoints()
  let { parts } = await SnapshotParts.load(checkpoints, owner, undefined)
  for (const [place, count] of counts.entries()) {
    const header = await save(checkpoints, parts, chunksOf(place + 1, count))
    const loaded = await SnapshotParts.load(checkpoints, owner, header)
    expect(loaded.snapshot!.length).toBe(count * chunkBytes)
    expect(loaded.snapshot!.every((byte) => byte === place + 1)).toBe(true)
    parts = loaded.parts
    const recent = counts.slice(Math.max(0, place - 1), place + 1).map((chunkCount) => Math.max(1, Math.ceil(chunkCount / 4)))
    expect((await checkpoints.parts(owner.tenant, owner.stage)).length).toBe(recent.reduce((sum, partCount) => sum + partCount, 0))
  }
  expect(checkpoints.largest()).toBeLessThanOrEqual(limits.pipeline.snapshotPartBytes)
})

test('the last snapshot stays whole while the next is written', async () => {
  const checkpoints = openCheckpoints()
  const { parts } = await SnapshotParts.load(checkpoints, owner, undefined)
  const header = await save(checkpoints, parts, chunksOf(1, 9))
  await parts.write(checkpoints, chunksOf(2, 30))
  const after = await SnapshotParts.load(checkpoints, owner, header)
  expect(after.snapshot!.every((byte) => byte === 1)).toBe(true)
  await save(checkpoints, after.parts, chunksOf(3, 5))
  expect((await checkpoints.parts(owner.tenant, owner.stage)).length).toBe(3 + 2)
})

test('a snapshot of an earlier version is read and replaced', async () => {
  const checkpoints = openCheckpoints()
  await checkpoints.save(owner.tenant, owner.stage, { put: new Map([['engine', Uint8Array.of(7)]]) })
  const { parts, snapshot } = await SnapshotParts.load(checkpoints, owner, undefined)
  expect(snapshot).toEqual(Uint8Array.of(7))
  await save(checkpoints, parts, chunksOf(1, 1))
  expect(await checkpoints.parts(owner.tenant, owner.stage)).toEqual(['engine 0.0'])
})

test('a part that is gone is an error', async () => {
  const checkpoints = openCheckpoints()
  const { parts } = await SnapshotParts.load(checkpoints, owner, undefined)
  const header = await save(checkpoints, parts, chunksOf(1, 9))
  await checkpoints.save(owner.tenant, owner.stage, { put: new Map(), drop: ['engine 0.1'] })
  await expect(SnapshotParts.load(checkpoints, owner, header)).rejects.toThrow("the checkpoint of stage detect lacks its part 'engine 0.1'")
})
