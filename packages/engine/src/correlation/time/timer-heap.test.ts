import fc from 'fast-check'
import { expect, test } from 'vitest'
import { TimerHeap } from './timer-heap.ts'

const seed = Number(process.env['TRIPLINE_SEED'] ?? 20_261_202)
const steps = fc.array(fc.oneof(
  fc.record({ kind: fc.constant('set' as const), group: fc.nat(30), dueAt: fc.nat(20), isAfter: fc.boolean() }),
  fc.record({ kind: fc.constant('remove' as const), group: fc.nat(30) }),
  fc.record({ kind: fc.constant('run' as const), until: fc.nat(20) }),
), { maxLength: 80 })

test(`timers come due as in a sorted list, seed ${seed}`, () => {
  fc.assert(fc.property(steps, (all) => {
    const heap = new TimerHeap()
    const timers = new Map<number, { dueAt: number; isAfter: boolean }>()
    for (const step of all) {
      if (step.kind === 'set') {
        heap.set(step.group, step.dueAt, step.isAfter)
        timers.set(step.group, step)
      } else if (step.kind === 'remove') {
        heap.remove(step.group)
        timers.delete(step.group)
      } else {
        const { until } = step
        const due = [...timers].filter(([, { dueAt, isAfter }]) => (isAfter ? dueAt < until : dueAt <= until))
        const instants: number[] = []
        for (let next = heap.peekDue(until); next !== undefined; next = heap.peekDue(until)) {
          heap.remove(next.group)
          timers.delete(next.group)
          instants.push(next.dueAt)
        }
        expect(instants).toEqual(due.map(([, { dueAt }]) => dueAt).toSorted((a, b) => a - b))
      }
    }
  }), { seed, numRuns: 300 })
})
