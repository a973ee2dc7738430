/** How often a schedule runs, as the form asks for it. */
export const repeats = ['daily', 'weekdays', 'weekly', 'monthly', 'custom'] as const
type Repeat = (typeof repeats)[number]

/** The times of a schedule as fields of a form. */
export type ScheduleTimes = {
  readonly repeat: Repeat
  /** The time of day, such as `08:00`. */
  readonly time: string
  /** The day of the week, 1 for Monday to 7 for Sunday. */
  readonly weekday: string
  /** The day of the month. */
  readonly day: string
  /** The expression, where no other repetition says it. */
  readonly cron: string
}

const simple = /^(\d{1,2}) (\d{1,2}) (\*|\d{1,2}) \* (\*|1-5|\d)$/

/** Reads a cron expression as the form shows it; what the form has no fields for stays an expression. */
export function readTimes(cron: string): ScheduleTimes {
  const [, minute = '', hour = '', day = '*', weekday = '*'] = simple.exec(cron) ?? []
  const usual = { time: '08:00', weekday: '1', day: '1', cron }
  if (minute === '' || (day !== '*' && weekday !== '*')) return { ...usual, repeat: 'custom' }
  const timed = { ...usual, time: `${hour.padStart(2, '0')}:${minute.padStart(2, '0')}` }
  if (day !== '*') return { ...timed, repeat: 'monthly', day }
  if (weekday === '*') return { ...timed, repeat: 'daily' }
  if (weekday === '1-5') return { ...timed, repeat: 'weekdays' }
  return { ...timed, repeat: 'weekly', weekday: weekday === '0' ? '7' : weekday }
}

/** Prints the fields of the form as a cron expression. */
export function printTimes({ repeat, time, weekday, day, cron }: ScheduleTimes): string {
  if (repeat === 'custom') return cron
  const [hour = 0, minute = 0] = time.split(':').map(Number)
  const days = repeat === 'weekdays' ? '1-5' : repeat === 'weekly' ? weekday : '*'
  return `${minute} ${hour} ${repeat === 'monthly' ? day : '*'} * ${days}`
}
