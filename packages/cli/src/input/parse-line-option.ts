import { usageError } from '../framework/command-error.ts'
import type { LinePlace } from '../framework/line-place.ts'

/**
 * Parses the lines of `--line` to what chooses events: a number chooses that line in every input, `path:number` that of one, as
 * explanations and matches print it. Without lines all events are chosen.
 *
 * @throws usageError for a text that is neither.
 */
export function parseLineOption(lines: readonly string[]): (place: LinePlace) => boolean {
  const chosen = lines.map((text) => {
    const [, path, number] = /^(?:(.+):)?(\d+)$/.exec(text) ?? []
    const line = Number(number)
    if (Number.isSafeInteger(line) && line > 0) return { path, line }
    throw usageError(`option '--line' is '${text}'; it takes the number of a line from 1 on, or a path, a colon and a number`)
  })
  return ({ line, path }) => chosen.length === 0 || chosen.some((one) => one.line === line && (one.path === undefined || one.path === path))
}
