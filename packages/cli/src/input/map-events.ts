import { ExitError, exitCodes } from '@tripline/common/exit-error'
import { isJsonObject, tryParseJson } from '@tripline/common/json'
import { toLosslessJson } from '@tripline/common/lossless-json'
import type { EventMapper } from '@tripline/engine'
import { createEventMapper } from '@tripline/formats/mapping/create-event-mapper'
import { MappingError } from '@tripline/formats/mapping/parse-mapping'
import { limits } from '../limits.ts'
import { readOptionFile } from './read-text-file.ts'

/**
 * Reads a mapping file and makes a function of it; undefined without one. `now` completes times without a year.
 *
 * @throws ExitError (66) when the file cannot be read, (65) when it is no mapping.
 */
export function readEventMapping(
  path: string | undefined, { cwd, now }: { readonly cwd: string; readonly now: number },
): EventMapper | undefined {
  if (path === undefined) return undefined
  const text = readOptionFile(path, { cwd, option: '--mapping' })
  try {
    return createEventMapper(text, now)
  } catch (error) {
    if (!(error instanceof MappingError)) throw error
    throw new ExitError(exitCodes.noData, `--mapping '${path}': ${error.message}`, { cause: error })
  }
}

const lineFeed = 0x0a

/** Maps each event of NDJSON; lines that hold no event, and those over the limit of one, stay as they are. */
export async function* mapLines(chunks: AsyncIterable<Buffer>, mapEvent: EventMapper): AsyncGenerator<Buffer> {
  let rest: Buffer = Buffer.alloc(0)
  for await (const chunk of chunks) {
    const end = chunk.lastIndexOf(lineFeed)
    const isTooLong = rest.length > limits.lineBytesMax
    if (isTooLong) yield rest
    const before = isTooLong ? Buffer.alloc(0) : rest
    if (end === -1) {
      rest = Buffer.concat([before, chunk])
      continue
    }
    const lines = Buffer.concat([before, chunk.subarray(0, end)]).toString('utf8').split('\n')
    rest = Buffer.from(chunk.subarray(end + 1))
    yield Buffer.from(`${lines.map((line) => mapLine(line, mapEvent)).join('\n')}\n`)
  }
  if (rest.length > 0) yield Buffer.from(mapLine(rest.toString('utf8'), mapEvent))
}

function mapLine(line: string, mapEvent: EventMapper): string {
  const text = line.trim()
  if (!text.startsWith('{')) return line
  const parsed = tryParseJson(text)
  if ('problem' in parsed || !isJsonObject(parsed.value)) return line
  const exact = toLosslessJson(parsed.value, text)
  const mapped = mapEvent(exact)
  return mapped === exact ? line : JSON.stringify(mapped)
}
