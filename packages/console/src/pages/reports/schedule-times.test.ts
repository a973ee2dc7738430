import { expect, test } from 'vitest'
import { printTimes, readTimes } from './schedule-times.ts'

test.for<[cron: string, repeat: string, shown: object]>([
  ['0 8 * * *', 'daily', { time: '08:00' }], ['30 17 * * 1-5', 'weekdays', { time: '17:30' }], ['5 0 * * 5', 'weekly', { time: '00:05', weekday: '5' }],
  ['0 7 28 * *', 'monthly', { time: '07:00', day: '28' }],
])('%s is shown as %s, and printed as it was', ([cron, repeat, shown]) => {
  expect(readTimes(cron)).toMatchObject({ repeat, ...shown })
  expect(printTimes(readTimes(cron))).toBe(cron)
})

test('Sunday has two numbers', () => {
  expect(printTimes(readTimes('0 8 * * 0'))).toBe('0 8 * * 7')
})

test.for(['0 * * * *', '0 8 1 * 1', '0 8 L * *', '0 8 * * 1,3', '0 8 1 1 *', '', 'x'])("'%s' stays an expression", (cron) => {
  expect(readTimes(cron).repeat).toBe('custom')
  expect(printTimes(readTimes(cron))).toBe(cron)
})

test('a change of repetition uses the fields that the form has', () => {
  expect(printTimes({ ...readTimes('0 8 * * *'), repeat: 'monthly', day: '31', time: '06:45' })).toBe('45 6 31 * *')
})
