import { expect, test } from 'vitest'
import type { StateStore } from '../src/ports/state-store.ts'
import {
  assessmentWith, attestationWith, backtestWith, evidenceJobWith, reportScheduleWith, reportWith, rulePipelineWith,
} from './state-samples.ts'

const terms = { expectedVersion: undefined, at: 50 }

/** The behaviour of every compliance store; tenant 'a' has the samples, 'b' nothing. */
export function describeCompliance(current: () => StateStore): void {
  const store = () => current().compliance

  test('one job of a tenant waits or runs, and what becomes of it is kept', async () => {
    expect(await store().begin('a', evidenceJobWith({ id: 'ej2' }))).toEqual(evidenceJobWith({}))
    const result = { controlsAssessed: 3, evidenceItems: 5, changed: [{ framework: 'iso27001', control: 'A.8.17', from: 'partial', to: 'compliant' }] } as const
    const done = evidenceJobWith({ status: 'succeeded', progress: 100, finishedAt: 2_000, result })
    expect(await store().saveJob('a', done)).toBe(true)
    expect(await store().getJob('a', 'ej1')).toEqual(done)
    expect(await store().unfinishedJobs('a')).toEqual([])
    const failed = evidenceJobWith({ id: 'ej2', requestedAt: 3_000, controls: ['A.8.17'], requestedBy: '', error: 'the disk is full' })
    expect(await store().begin('a', failed)).toBe('begun')
    expect(await store().lastJob('a')).toEqual(failed)
    expect(await store().lastJob('a', 2_999)).toEqual(done)
    expect(await store().lastJob('a', 999)).toBeUndefined()
    expect(await store().unfinishedJobs('a')).toEqual([failed])
  })

  test('of requests at once, one job begins', async () => {
    const outcomes = await Promise.all(['x', 'y', 'z'].map((id) => store().begin('b', evidenceJobWith({ id }))))
    expect(outcomes.filter((outcome) => outcome === 'begun')).toHaveLength(1)
  })

  test('the newest results of a framework are read, and those of an instant', async () => {
    const later = assessmentWith({ jobId: 'ej2', at: 2_000, sha256: '0c', controls: [] })
    await store().saveAssessment('a', later)
    await store().saveAssessment('a', assessmentWith({ jobId: 'ej2', at: 2_000, framework: 'gdpr' }))
    expect(await store().getAssessment('a', 'iso27001')).toEqual(later)
    expect(await store().getAssessment('a', 'iso27001', 1_999)).toEqual(assessmentWith({}))
    expect(await store().getAssessment('a', 'iso27001', 999)).toBeUndefined()
    expect(await store().listAssessments('a', 'iso27001', 5)).toEqual([
      { at: 2_000, jobId: 'ej2', sha256: '0c' }, { at: 1_000, jobId: 'ej1', sha256: '0b' },
    ])
    await store().saveAssessment('a', assessmentWith({ jobId: 'ej2', at: 2_000, sha256: '0d' }))
    await store().saveAssessment('b', assessmentWith({ jobId: 'ej2', at: 2_000, sha256: '0f' }))
    expect(await store().listAssessments('a', 'iso27001', 1)).toEqual([{ at: 2_000, jobId: 'ej2', sha256: '0d' }])
  })

  test('an attestation takes the place of the one before', async () => {
    const renewed = attestationWith({ at: 1_500, status: 'partial', proof: { file: 'policy.pdf', sha256: '0e' } })
    await store().putAttestation('a', 'iso27001', renewed)
    await store().putAttestation('b', 'iso27001', attestationWith({ note: 'another tenant' }))
    expect(await store().listAttestations('a', 'iso27001')).toEqual([renewed])
    expect(await store().listAttestations('a', 'gdpr')).toEqual([])
    expect(await store().removeAttestation('a', 'iso27001', 'A.5.1')).toBe(true)
    expect(await store().listAttestations('a', 'iso27001')).toEqual([])
  })

  test('a note has a version, and an expected one is compared', async () => {
    const change = (note: string, expectedVersion?: number) => store().updateNote('a', 'iso27001', { control: 'A.8.17', note }, { ...terms, expectedVersion })
    const value = { control: 'A.8.17', owner: 'ann', note: 'see the ticket', version: 2 }
    expect(await change('see the ticket', 1)).toEqual({ outcome: 'changed', value })
    expect(await change('see the ticket')).toEqual({ outcome: 'unchanged', value })
    expect(await change('other', 1)).toEqual({ outcome: 'stale', version: 2 })
    expect(await store().listNotes('a', 'iso27001')).toEqual([value])
  })

  test('old jobs and results are removed, but never the newest', async () => {
    await store().saveJob('a', evidenceJobWith({ status: 'succeeded', finishedAt: 1_001 }))
    expect(await store().removeOld('a', { before: 9_000, limit: 10 })).toBe(0)
    await store().begin('a', evidenceJobWith({ id: 'ej2', requestedAt: 5_000 }))
    await store().saveAssessment('a', assessmentWith({ jobId: 'ej2', at: 5_000 }))
    expect(await store().removeOld('b', { before: 9_000, limit: 10 })).toBe(0)
    expect(await store().removeOld('a', { before: 9_000, limit: 10 })).toBe(2)
    expect(await store().listAssessments('a', 'iso27001', 5)).toMatchObject([{ jobId: 'ej2' }])
    expect(await store().getJob('a', 'ej1')).toBeUndefined()
  })

  test('a report is kept with its file, and becomes what is saved', async () => {
    const { reports } = current()
    expect(await reports.listUnfinished('a')).toEqual([reportWith({})])
    const done = reportWith({ status: 'succeeded', title: 'Report', finishedAt: 1_200, size: 4, sha256: '0a', from: 0, to: undefined })
    expect(await reports.save('a', done)).toBe(true)
    expect([await reports.get('a', 'rp1'), await reports.listUnfinished('a')]).toEqual([done, []])
    const content = { definition: '{"a":1}', file: Uint8Array.from([0, 255]) }
    expect(await reports.putContent('a', 'rp1', content)).toBe(true)
    expect(await reports.getContent('a', 'rp1')).toEqual(content)
    expect([await reports.remove('a', 'rp1'), await reports.getContent('a', 'rp1')]).toEqual([true, undefined])
  })

  test('a backtest is kept with what it found, and becomes what is saved', async () => {
    const { backtests } = current()
    expect(await backtests.listUnfinished('a')).toEqual([backtestWith({})])
    const exceptions = [{ detection: { here: { Computer: 'build-1' }, condition: 'not here' } }]
    const asked = { ruleIds: [], definition: 'title: x', exceptions, isCompared: true }
    const done = backtestWith({ ...asked, status: 'succeeded', finishedAt: 1_200, result: '{"a":1}' })
    expect(await backtests.save('a', done)).toBe(true)
    expect([await backtests.get('a', 'bt1'), await backtests.listUnfinished('a')]).toEqual([done, []])
    await backtests.insert('a', backtestWith({ id: 'bt2', requestedAt: 2_000 }))
    expect(await backtests.list('a', 9)).toEqual([backtestWith({ id: 'bt2', requestedAt: 2_000 }), { ...done, result: '' }])
    expect(await backtests.removeOld('b', { before: 9_000, keptMax: 9, limit: 9 })).toBe(0)
    // One that waits stays, however old it is.
    expect(await backtests.removeOld('a', { before: 9_000, keptMax: 9, limit: 9 })).toBe(1)
    expect(await backtests.remove('a', 'bt2')).toBe(true)
    expect(await backtests.save('a', done)).toBe(false)
    for (const at of [3, 4, 5]) await backtests.insert('a', backtestWith({ id: `b${at}`, status: 'failed', error: 'no', requestedAt: at * 1_000 }))
    expect(await backtests.removeOld('a', { before: 0, keptMax: 1, limit: 9 })).toBe(2)
    expect((await backtests.list('a', 9)).map(({ id }) => id)).toEqual(['b5'])
  })

  test('a pipeline comes out as it went in, in the order in which they run, and changes in the name of who changed it', async () => {
    const { rulePipelines } = current()
    const early = rulePipelineWith({ id: 'pl2', name: 'First', priority: 5, isEnabled: false, createdAt: 9 })
    expect(await rulePipelines.insert('a', early)).toBe('inserted')
    expect(await rulePipelines.insert('a', { ...early, id: 'pl3' })).toBe('taken')
    expect(await rulePipelines.list('a')).toEqual([early, rulePipelineWith({})])
    expect(await rulePipelines.update('a', 'pl2', { name: 'Own fields', by: 'bob' }, terms)).toEqual({ outcome: 'taken' })
    expect(await rulePipelines.update('a', 'pl2', { priority: 5, by: 'bob' }, terms)).toEqual({ outcome: 'unchanged', value: early })
    const changed = { ...early, priority: 20, isEnabled: true, version: 2, updatedBy: 'bob', updatedAt: terms.at }
    expect(await rulePipelines.update('a', 'pl2', { priority: 20, isEnabled: true, by: 'bob' }, terms)).toEqual({ outcome: 'changed', value: changed })
    expect(await rulePipelines.update('a', 'pl2', { name: 'x', by: 'bob' }, { ...terms, expectedVersion: 1 })).toEqual({ outcome: 'stale', version: 2 })
    expect(await rulePipelines.get('a', 'pl2')).toEqual(changed)
    expect((await rulePipelines.list('a')).map(({ id }) => id)).toEqual(['pl1', 'pl2'])
    expect([await rulePipelines.remove('a', 'pl2'), await rulePipelines.remove('a', 'pl2')]).toEqual([true, false])
  })

  test('a schedule comes out as it went in, changes, and notes its runs without a new version', async () => {
    const { reportSchedules } = current()
    const daily = reportScheduleWith({ id: 'rs2', name: 'Daily', isEnabled: false, nextRunAt: undefined, recipients: [], lastRunAt: 7, lastReportId: 'rp1' })
    expect(await reportSchedules.insert('a', daily)).toBe('inserted')
    expect(await reportSchedules.insert('a', { ...daily, id: 'rs3' })).toBe('taken')
    expect(await reportSchedules.get('a', 'rs2')).toEqual(daily)
    expect((await reportSchedules.list('a')).map(({ id }) => id)).toEqual(['rs2', 'rs1'])
    expect(await reportSchedules.listEnabled()).toEqual([{ tenant: 'a', schedule: reportScheduleWith({}) }])
    expect(await reportSchedules.update('a', 'rs2', { name: 'Weekly' }, terms)).toEqual({ outcome: 'taken' })
    expect(await reportSchedules.update('a', 'rs2', { isEnabled: true, nextRunAt: 5 }, terms)).toMatchObject({ value: { version: 2, nextRunAt: 5 } })
    expect((await reportSchedules.listEnabled()).map(({ schedule: { id } }) => id)).toEqual(['rs2', 'rs1'])
    const runs = { nextRunAt: undefined, timezone: 'Asia/Seoul', lastRunAt: 5, lastReportId: 'rp2' }
    expect(await reportSchedules.noteRuns('a', 'rs2', runs)).toBe(true)
    expect(await reportSchedules.get('a', 'rs2')).toMatchObject({ ...runs, version: 2 })
  })

  test.for<[title: string, which: { before: number; keptMax: number; limit: number }, left: readonly string[]]>([
    ['by age', { before: 3_000, keptMax: 9, limit: 9 }, ['r4', 'r3', 'rp1']], ['by number', { before: 0, keptMax: 1, limit: 9 }, ['r4', 'rp1']],
    ['some at once', { before: 9_000, keptMax: 9, limit: 1 }, ['r4', 'r3', 'rp1']], ['none', { before: 0, keptMax: 9, limit: 9 }, ['r4', 'r3', 'r2', 'rp1']],
  ])('finished reports are removed %s', async ([, which, left]) => {
    const { reports } = current()
    for (const at of [2, 3, 4]) await reports.insert('a', reportWith({ id: `r${at}`, status: 'succeeded', requestedAt: at * 1_000 }))
    expect(await reports.removeOld('b', which)).toBe(0)
    expect(await reports.removeOld('a', which)).toBe(4 - left.length)
    expect((await reports.list('a', 9)).map(({ id }) => id)).toEqual(left)
    expect((await reports.list('a', 1)).map(({ id }) => id)).toEqual(['r4'])
  })
}
