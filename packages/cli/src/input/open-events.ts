import type { MalformedLine } from '@tripline/engine'
import type { FileFormatName } from '@tripline/formats/files/file-format'
import { readEventFile } from '@tripline/formats/files/read-events'
import type { Context } from '../framework/context.ts'
import { openInput, toUnreadable, wrapReadErrors } from './open-input.ts'
import type { Input } from './open-input.ts'

/** A file of events as NDJSON, whatever its format and compression. */
export type EventInput = Input & {
  /** Takes the parts of the file that its decoder found to be no events since the last call; their lines are empty. */
  readonly takeProblems: () => readonly MalformedLine[]
}

/** The format that a user states. */
export type InputFormat = 'auto' | FileFormatName

/**
 * Opens a file of events, or stdin for `-`, and recognises compression, charset and format by its first bytes.
 *
 * @throws ExitError (66), here or while `chunks` is read, when the input cannot be read or unpacked.
 */
export async function openEvents(path: string, format: InputFormat, context: Context): Promise<EventInput> {
  const input = await openInput(path, context)
  let problems: MalformedLine[] = []
  try {
    const stated = format === 'auto' ? undefined : format
    const { chunks } = await readEventFile(input.chunks, (problem) => problems.push(problem), { stated, readAt: context.wallClock() })
    return {
      ...input,
      chunks: wrapReadErrors(path, chunks),
      takeProblems: () => {
        const taken = problems
        problems = []
        return taken
      },
    }
  } catch (error) {
    input.close()
    throw toUnreadable(path, error)
  }
}
