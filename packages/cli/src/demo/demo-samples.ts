import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { unreadableError } from '../framework/command-error.ts'

/** The events of the `*.ndjson` files of a directory, as JSON texts. @throws ExitError (66) when it cannot be read. */
export function readSampleEvents(directory: string): string[] {
  try {
    const names = readdirSync(directory).filter((name) => name.endsWith('.ndjson')).sort()
    const texts = names.map((name) => readFileSync(join(directory, name), 'utf8'))
    return texts.flatMap((text) => text.split('\n').filter((line) => line !== ''))
  } catch (error) {
    throw unreadableError('the directory of sample events', directory, error)
  }
}

/** Sites at which sample events happen: after so many rounds hosts come again, an hour and more after they came first. */
const sitesMax = 100

/**
 * A sample event as if it happened now: every instant in it is `at`, and each round of all samples is of another site, for
 * what comes again of one host within an hour is no new alert.
 */
export function moveToNow(sample: string, { at, round }: { readonly at: number; readonly round: number }): string {
  const [day = '', time = ''] = new Date(at).toISOString().split(/[TZ]/)
  const site = `.site-${round % sitesMax}.example.com`
  return sample
    .replaceAll(/\b\d{4}-\d\d-\d\d([T ])\d\d:\d\d:\d\d(?:\.\d+)?/g, (_, between: string) => `${day}${between}${time}`)
    .replaceAll('.example.com', site)
}
