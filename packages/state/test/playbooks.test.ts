import type { Playbook } from '@tripline/model/playbooks/playbook'
import { expect, test } from 'vitest'
import { openMemoryState } from './open-memory-state.ts'
import { auditKey, playbookWith, tenantWith } from './state-samples.ts'

type Change = Partial<Pick<Playbook, 'name' | 'description' | 'filter' | 'steps' | 'isEnabled'>>

const renamed = { name: 'Contain', description: 'by hand' }

test.for<[title: string, change: Change, expectedVersion: number | undefined, outcome: object, version: number]>([
  ['to other values', renamed, 1, { outcome: 'changed', value: playbookWith({ ...renamed, version: 2, updatedAt: 50 }) }, 2],
  ['to the values that it has', { name: 'Isolate', isEnabled: true }, 1, { outcome: 'unchanged', value: playbookWith({}) }, 1],
  ['of nothing', {}, undefined, { outcome: 'unchanged', value: playbookWith({}) }, 1],
  ['of a version that is no longer there', renamed, 7, { outcome: 'stale', version: 1 }, 1],
  ['to the name of another', { name: 'Notify' }, 1, { outcome: 'taken' }, 1],
])('a change of a playbook %s', async ([, change, expectedVersion, outcome, version]) => {
  const state = await openMemoryState({ auditKey })
  await state.tenants.insert(tenantWith({}))
  for (const playbook of [playbookWith({}), playbookWith({ id: 'pb2', name: 'Notify' })]) await state.playbooks.insert('a', playbook)
  expect(await state.playbooks.update('a', 'pb1', change, { expectedVersion, at: 50 })).toEqual(outcome)
  expect((await state.playbooks.get('a', 'pb1'))?.version).toBe(version)
  await state.close()
})
