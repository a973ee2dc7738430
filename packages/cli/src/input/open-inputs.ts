import { accessSync, constants } from 'node:fs'
import { resolve } from 'node:path'
import type { MalformedLine } from '@tripline/engine'
import { unreadableError } from '../framework/command-error.ts'
import type { Context } from '../framework/context.ts'
import type { LinePlace } from '../framework/line-place.ts'
import { createLogsourceAdder } from './add-logsource.ts'
import { findInputPaths } from './find-input-paths.ts'
import { openEvents } from './open-events.ts'
import type { EventInput, InputFormat } from './open-events.ts'
import { mapLines, readEventMapping } from './map-events.ts'

/** The options of a command that name its inputs. */
export type InputOptions = {
  readonly input: readonly string[]
  readonly 'input-format': InputFormat
  /** The log source of events that declare none. */
  readonly logsource: string | undefined
  /** A file that states how events become what rules read. */
  readonly mapping: string | undefined
}

/** One or more inputs, read one after the other as if they were one. */
export type Inputs = EventInput & {
  /** What errors call them: the path, or how many there are. */
  readonly name: string
  /** Whether stdin is among them. */
  readonly hasStdin: boolean
  /** The place of a line of the whole that was read, which is counted from 0. */
  readonly locate: (line: number) => LinePlace
}

/**
 * Opens what `--input` names: files, directories, patterns and `-`; stdin if it names nothing. A file that is named twice is
 * read once.
 *
 * @throws ExitError (66) for a path that cannot be read, or that stands for no file.
 */
export async function openInputs(options: InputOptions, context: Context): Promise<Inputs> {
  const addLogsource = options.logsource === undefined ? undefined : createLogsourceAdder(options.logsource)
  const mapEvent = readEventMapping(options.mapping, { cwd: context.cwd, now: context.wallClock() })
  const inputs = await openPlainInputs(options, context)
  if (addLogsource === undefined && mapEvent === undefined) return inputs
  const mapped = mapEvent === undefined ? inputs.chunks : mapLines(inputs.chunks, mapEvent)
  const chunks = addLogsource === undefined ? mapped : addLogsource(mapped)
  return {
    chunks, name: inputs.name, hasStdin: inputs.hasStdin, bytesTotal: inputs.bytesTotal, bytesRead: () => inputs.bytesRead(),
    locate: (line) => inputs.locate(line), takeProblems: () => inputs.takeProblems(), close: () => inputs.close(),
  }
}

async function openPlainInputs({ input: given, 'input-format': format }: InputOptions, context: Context): Promise<Inputs> {
  const paths = await findInputPaths(given, context)
  for (const path of paths) if (path !== '-') checkReadable(path, context.cwd)
  const [path = '-'] = paths
  const first = await openEvents(path, format, context)
  if (paths.length > 1) return new JoinedInputs({ paths, first, format }, context)
  return { ...first, name: path, hasStdin: path === '-', locate: (line) => ({ line: line + 1, path: undefined }) }
}

function checkReadable(path: string, cwd: string): void {
  try {
    accessSync(resolve(cwd, path), constants.R_OK)
  } catch (error) {
    throw unreadableError('input', path, error)
  }
}

const lineFeed = 0x0a

type JoinedFiles = { readonly paths: readonly string[]; readonly first: EventInput; readonly format: InputFormat }

/** Several inputs as one; each is opened when the one before has ended, and ends with a line feed. */
class JoinedInputs implements Inputs {
  readonly name: string
  readonly hasStdin: boolean
  readonly bytesTotal: undefined
  readonly chunks: AsyncIterable<Buffer>
  readonly #context: Context
  readonly #format: InputFormat
  #current: EventInput
  #bytesBefore = 0
  #lineCount = 0
  /** Problems of files that were read to their end. */
  #problems: MalformedLine[] = []
  /** The first line of each input that was begun. */
  readonly #begun: { readonly path: string; readonly firstLine: number }[] = []

  constructor({ paths, first, format }: JoinedFiles, context: Context) {
    this.name = `${paths.length} inputs`
    this.hasStdin = paths.includes('-')
    this.#context = context
    this.#format = format
    this.#current = first
    this.chunks = this.#readAll(paths)
  }

  bytesRead = (): number => this.#bytesBefore + this.#current.bytesRead()

  locate = (line: number): LinePlace => {
    const place = this.#begun.findLast(({ firstLine }) => firstLine <= line)
    return { line: line - (place?.firstLine ?? 0) + 1, path: place?.path }
  }

  takeProblems = (): MalformedLine[] => {
    const before = this.#problems
    this.#problems = []
    return [...before, ...this.#takeCurrent()]
  }

  close = (): void => this.#current.close()

  async *#readAll(paths: readonly string[]): AsyncGenerator<Buffer> {
    for (const [i, path] of paths.entries()) {
      if (i > 0) {
        this.#problems.push(...this.#takeCurrent())
        this.#bytesBefore += this.#current.bytesRead()
        this.#current.close()
        this.#current = await openEvents(path, this.#format, this.#context)
      }
      this.#begun.push({ path, firstLine: this.#lineCount })
      let lastByte = lineFeed
      for await (const chunk of this.#current.chunks) {
        if (chunk.length === 0) continue
        this.#countLines(chunk)
        lastByte = chunk[chunk.length - 1]!
        yield chunk
      }
      if (lastByte === lineFeed) continue
      this.#lineCount++
      yield Buffer.of(lineFeed)
    }
  }

  /** The problems of the present file, numbered as lines of the whole. */
  #takeCurrent(): MalformedLine[] {
    const firstLine = this.#begun.at(-1)?.firstLine ?? 0
    return this.#current.takeProblems().map(({ line, reason }) => ({ line: firstLine + line, reason }))
  }

  #countLines(chunk: Buffer): void {
    for (let at = chunk.indexOf(lineFeed); at !== -1; at = chunk.indexOf(lineFeed, at + 1)) this.#lineCount++
  }
}
