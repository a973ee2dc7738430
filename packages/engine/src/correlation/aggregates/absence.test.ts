import { describe, expect, test } from 'vitest'
import { Absence } from './absence.ts'

type AbsenceOptions = ConstructorParameters<typeof Absence>[0]

/** Seen is 0, and must not be followed by 1 for ten instants. */
function createAbsence(options: Partial<AbsenceOptions> = {}): Absence {
  return new Absence({
    terms: [{ seen: [0], unseen: [1] }], memberCount: 3, isOrdered: false, span: 10, isEach: false, pendingMax: 2, ...options,
  })
}

/** Takes in what came at an instant; returns whether it completes a term at once. */
function see(absence: Absence, at: number, ...members: readonly number[]): boolean {
  for (const member of members) absence.add(0, { at, sequence: at, member, match: 0, key: '', value: undefined, carried: undefined } as never)
  const isImmediate = absence.cancel(0, { at, members })
  if (!isImmediate) absence.complete(0, { at, members }, -Infinity)
  return isImmediate
}

describe('pending completions', () => {
  test('are due a timespan after they began', () => {
    const absence = createAbsence()
    expect(absence.dueAt(0)).toBe(Infinity)
    see(absence, 5, 0)
    expect(absence.dueAt(0)).toBe(15)
    expect(absence.takeDue(0, 14)).toBe(false)
    expect(absence.takeDue(0, 15)).toBe(true)
    expect([absence.takeDue(0, 15), absence.dueAt(0)]).toEqual([false, Infinity])
  })

  test('are cancelled by what must not be seen', () => {
    const absence = createAbsence()
    see(absence, 5, 0)
    see(absence, 6, 1)
    expect([absence.dueAt(0), absence.takeDue(0, 100)]).toEqual([Infinity, false])
  })

  test.for<[firedAt: number, due: number]>([[4, 15], [5, 15], [6, 18], [8, 18], [9, Infinity]])(
    'those that began before a match at %s are suppressed: due at %s', ([firedAt, due]) => {
      const absence = createAbsence({ isEach: true })
      see(absence, 5, 0)
      see(absence, 8, 0)
      absence.suppress(0, firedAt)
      expect(absence.dueAt(0)).toBe(due)
    },
  )

  test('of a term without members that must not be seen there are none: it holds at once', () => {
    const absence = createAbsence({ terms: [{ seen: [0], unseen: [] }, { seen: [2], unseen: [1] }] })
    expect(see(absence, 5, 0)).toBe(true)
    expect(see(absence, 6, 2)).toBe(false)
    expect(absence.dueAt(0)).toBe(16)
  })
})

describe('a window that closes as a whole', () => {
  test.for<[title: string, options: Partial<AbsenceOptions>, seen: readonly number[], holds: boolean]>([
    ['nothing', {}, [], false],
    ['what has to be seen', {}, [0], true],
    ['what must not be seen, after it', {}, [0, 1], false],
    ['what must not be seen, before it', {}, [1, 0], false],
    ['in order, what must not be seen before it', { isOrdered: true }, [1, 0], true],
    ['in order, what must not be seen after it', { isOrdered: true }, [0, 1], false],
    ['a part of what has to be seen', { terms: [{ seen: [0, 2], unseen: [1] }] }, [0], false],
    ['a term without members that must not be seen', { terms: [{ seen: [0], unseen: [] }] }, [0], false],
  ])('%s', ([, options, seen, holds]) => {
    const absence = createAbsence(options)
    for (const [at, member] of seen.entries()) see(absence, at + 1, member)
    expect(absence.holdsAtClose(0)).toBe(holds)
  })
})
