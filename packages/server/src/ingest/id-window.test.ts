import { expect, test } from 'vitest'
import { IdWindow } from './id-window.ts'

/** Adds ids, each as `id@time`, to a window of four ids and ten milliseconds; a new one is answered by `+`. */
function add(ids: string): string {
  const window = new IdWindow({ idsMax: 4, windowMs: 10 })
  return ids.split(' ').map((step) => {
    const [id = '', at = '0'] = step.split('@')
    return window.add(id, Number(at)) ? '+' : '-'
  }).join('')
}

test.for<[title: string, ids: string, answers: string]>([
  ['knows what it has seen', 'a b a b', '++--'],
  ['knows at least the last two of four', 'a b c b c', '+++--'],
  ['forgets after four', 'a b c d e a', '++++++'],
  ['knows what came within the time', 'a@0 b@9 a@9', '++-'],
  ['forgets after twice the time', 'a@0 b@10 c@20 a@20', '++++'],
  ['tells long ids apart', `${'x'.repeat(100)}1 ${'x'.repeat(100)}2 ${'x'.repeat(100)}1`, '++-'],
])('%s', ([, ids, answers]) => {
  expect(add(ids)).toBe(answers)
})
