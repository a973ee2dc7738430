import { readEventFile } from '@tripline/formats/files/read-events'
import { appendFields } from '@tripline/formats/json/scan-members'
import { createReadStream } from 'node:fs'
import { glob } from 'node:fs/promises'
import { limits } from '../../limits.ts'
import type { FilePosition } from './file-position.ts'
import { openTailedFile, takeFingerprint } from './open-log-file.ts'

/** Formats of files that are not lines, or whose first lines say what the others mean. */
const formatNames = { evtx: 'evtx', csv: 'csv', w3c: 'w3c', json_document: 'json' } as const

type WholeFileOptions = {
  readonly paths: readonly string[]
  readonly format: keyof typeof formatNames
  readonly logsource: object | undefined
  readonly positions: readonly FilePosition[]
  readonly signal: AbortSignal
  readonly now: () => number
}

/** Events of a file, as JSON. */
type WholeFilePart = {
  readonly path: string
  readonly events: readonly Buffer[]
  readonly tooLongCount: number
  readonly positions: readonly FilePosition[]
}

const eventsMax = 1_000

/**
 * Reads files that are exported or written as a whole, such as Windows event logs: when a file has grown, it is decoded again
 * and the events that are known are skipped.
 */
export class WholeFiles {
  readonly #options: WholeFileOptions
  readonly #known: Map<string, FilePosition>
  /** The size with which a file was last read to its end. */
  readonly #sizes = new Map<string, number>()

  constructor(options: WholeFileOptions) {
    this.#options = options
    this.#known = new Map(options.positions.map((position) => [position.identity, position]))
  }

  async *read(): AsyncGenerator<WholeFilePart> {
    for (const pattern of this.#options.paths) {
      const paths = /[*?[{]/.test(pattern) ? [] : [pattern]
      if (paths.length === 0) for await (const path of glob(pattern)) paths.push(path)
      for (const path of paths.sort()) yield* this.#readFile(path)
    }
  }

  async *#readFile(path: string): AsyncGenerator<WholeFilePart> {
    const file = await openTailedFile(path)
    if (file === undefined) return
    const { identity, size } = file
    const print = await takeFingerprint(file.handle)
    await file.handle.close()
    if (this.#sizes.get(identity) === size || size > limits.file.wholeBytesMax) return
    const before = this.#known.get(identity)
    // Headers of event logs change; only a file that became another one begins anew.
    const isAnother = this.#options.format !== 'evtx' && before?.fingerprint !== print.fingerprint
    const knownCount = before === undefined || isAnother ? 0 : before.offset
    let eventCount = 0
    let problemCount = 0
    let events: Buffer[] = []
    const take = (): WholeFilePart => {
      this.#known.set(identity, { identity, path, offset: Math.max(eventCount, knownCount), ...print })
      const part = { path, events, tooLongCount: problemCount, positions: [...this.#known.values()] }
      events = []
      problemCount = 0
      return part
    }
    const { chunks } = await readEventFile(createReadStream(path), () => problemCount++, {
      stated: formatNames[this.#options.format], readAt: this.#options.now(),
    })
    for await (const line of splitLines(chunks)) {
      if (this.#options.signal.aborted) return
      if (line.length === 0) continue
      eventCount++
      if (eventCount <= knownCount) {
        problemCount = 0
        continue
      }
      events.push(this.#addLogsource(line))
      if (events.length >= eventsMax) yield take()
    }
    if (events.length > 0 || problemCount > 0) yield take()
    this.#sizes.set(identity, size)
  }

  #addLogsource(line: Buffer): Buffer {
    const { logsource } = this.#options
    return logsource === undefined ? line : appendFields(line, { start: 0, end: line.length }, { _logsource: logsource })
  }
}

async function* splitLines(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let rest: Buffer = Buffer.alloc(0)
  for await (const chunk of chunks) {
    const bytes = Buffer.concat([rest, chunk])
    let start = 0
    for (let end = bytes.indexOf(0x0a); end !== -1; end = bytes.indexOf(0x0a, start)) {
      yield Buffer.from(bytes.subarray(start, end))
      start = end + 1
    }
    rest = Buffer.from(bytes.subarray(start))
  }
  if (rest.length > 0) yield rest
}
