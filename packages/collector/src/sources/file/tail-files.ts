import { glob, readdir } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { limits } from '../../limits.ts'
import type { FilePosition } from './file-position.ts'
import { openTailedFile, readBytes, takeFingerprint } from './open-log-file.ts'
import type { TailedFile } from './open-log-file.ts'

/** What was read of files: whole lines, and where all files of the source stand behind them. */
type TailedLines = {
  readonly path: string
  readonly lines: readonly Buffer[]
  readonly tooLongCount: number
  readonly positions: readonly FilePosition[]
}

type TailOptions = {
  /** Paths, or patterns of them. */
  readonly paths: readonly string[]
  /** Where a source begins that has no position yet. */
  readonly startAt: 'beginning' | 'end'
  readonly positions: readonly FilePosition[]
  readonly elapsedMs: () => number
  /** How many of the last lines wait for others that belong to them; until the file has not grown for a while. */
  readonly countUnfinished?: (lines: readonly Buffer[]) => number
}

const lineFeed = 0x0a

/**
 * Follows files that grow. A renamed file is read to its end under its new name, also after a restart; so are generations that
 * came and went while the collector did not run. Where a file was copied and truncated, the rest is read of the copy.
 *
 * A file is identified by its device, its number and a fingerprint of its first bytes. All siblings of a file (`app.log.1`) are
 * known from the first look on, so that one that is not known is a later generation.
 */
export class FileTail {
  readonly #options: TailOptions
  /** By identity. */
  readonly #known = new Map<string, FilePosition>()
  /** Paths that were looked at before. */
  readonly #seenPaths: Set<string>
  #isFirstPass: boolean
  /** Since when a file that was rotated has not grown. */
  readonly #restingSince = new Map<string, { readonly size: number; readonly sinceMs: number }>()

  constructor(options: TailOptions) {
    this.#options = options
    for (const position of options.positions) this.#known.set(position.identity, position)
    this.#seenPaths = new Set(options.positions.map(({ path }) => path))
    this.#isFirstPass = options.positions.length === 0
  }

  get positions(): readonly FilePosition[] {
    return [...this.#known.values()]
  }

  /** Looks at all files once and yields what is new in them; the caller makes each part durable before it asks for the next. */
  async *read(): AsyncGenerator<TailedLines> {
    for (const path of await this.#findPaths()) yield* this.#readPath(path)
    // Files that come later are new, wherever the source began.
    this.#isFirstPass = false
  }


  async #findPaths(): Promise<readonly string[]> {
    const found = new Set<string>()
    for (const pattern of this.#options.paths) {
      if (!/[*?[{]/.test(pattern)) {
        found.add(pattern)
        continue
      }
      for await (const path of glob(pattern)) found.add(path)
    }
    // A rotated file may not have a successor yet.
    for (const { path } of this.#known.values()) found.add(path)
    const paths = [...found].sort()
    // A pattern such as `app.log*` names generations, too: they belong to the file that they were.
    const isOfAnother = (path: string): boolean =>
      paths.some((other) => dirname(other) === dirname(path) && isGeneration(basename(path), basename(other)))
    return paths.filter((path) => !isOfAnother(path)).slice(0, limits.file.filesMax)
  }

  async *#readPath(path: string): AsyncGenerator<TailedLines> {
    const generations = await this.#openGenerations(path)
    try {
      const isFirstLook = !this.#seenPaths.has(path)
      if (isFirstLook && generations.length > 0) {
        this.#seenPaths.add(path)
        await this.#noteFirstLook(path, generations)
        yield { path, lines: [], tooLongCount: 0, positions: this.positions }
      }
      for (const generation of generations) await this.#recognise(path, generation)
      // Oldest first, so that events stay in order.
      for (const { file, isCurrent } of generations) {
        const position = this.#known.get(file.identity)
        if (position === undefined || position.isDone === true) continue
        yield* this.#readFile(file, isCurrent)
      }
      this.#forgetGone(path, new Set(generations.map(({ file }) => file.identity)))
    } finally {
      for (const { file } of generations) await file.handle.close()
    }
  }

  /** Opens a file and its siblings that were rotated, oldest first. */
  async #openGenerations(path: string): Promise<Generation[]> {
    const folder = dirname(path)
    const names = await readdir(folder).catch(() => [] as string[])
    const siblings = names.filter((name) => isGeneration(name, basename(path)))
    const opened: Generation[] = []
    for (const name of [...siblings, basename(path)]) {
      const isCurrent = name === basename(path)
      const file = await openTailedFile(join(folder, name)).catch((error: unknown) => {
        if (isCurrent) throw error
        return undefined
      })
      if (file === undefined) continue
      const { mtimeNs } = await file.handle.stat({ bigint: true })
      opened.push({ file, isCurrent, modifiedAt: mtimeNs })
    }
    return opened.sort((a, b) => Number(a.isCurrent) - Number(b.isCurrent) || (a.modifiedAt < b.modifiedAt ? -1 : 1))
  }

  /** What is there before the source is: generations are not read, and of the file what `startAt` says. */
  async #noteFirstLook(path: string, generations: readonly Generation[]): Promise<void> {
    for (const { file, isCurrent } of generations) {
      const print = await takeFingerprint(file.handle)
      const offset = isCurrent && this.#isFirstPass && this.#options.startAt === 'end' ? await findLineStart(file) : 0
      this.#known.set(file.identity, { identity: file.identity, path, offset, ...print, ...(!isCurrent && { isDone: true as const }) })
    }
  }

  /** Decides what a file is: known, another one under a known number, truncated, a copy, or new. */
  async #recognise(path: string, { file, isCurrent }: Generation): Promise<void> {
    const position = this.#known.get(file.identity)
    const begin = { identity: file.identity, path, offset: 0, ...await takeFingerprint(file.handle) }
    if (position === undefined) {
      const original = isCurrent ? undefined : await this.#findOriginal(path, file)
      // A copy is read where the original was truncated; before, the original has all of it.
      if (original === undefined) this.#known.set(file.identity, begin)
      return
    }
    const same = await takeFingerprint(file.handle, position.fingerprintBytes)
    const isSame = same.fingerprint === position.fingerprint && same.fingerprintBytes === position.fingerprintBytes
    if (isSame && file.size >= position.offset) {
      // A file that has grown has a longer fingerprint.
      if (begin.fingerprintBytes > position.fingerprintBytes) this.#known.set(file.identity, { ...position, ...pickPrint(begin) })
      return
    }
    if (isCurrent) await this.#readOfCopy(path, position)
    this.#known.set(file.identity, begin)
  }

  /** The file of which an unknown sibling is a copy. */
  async #findOriginal(path: string, copy: TailedFile): Promise<FilePosition | undefined> {
    for (const position of this.#known.values()) {
      if (position.path !== path || position.isDone === true || position.fingerprintBytes === 0) continue
      const { fingerprint } = await takeFingerprint(copy.handle, position.fingerprintBytes)
      if (fingerprint === position.fingerprint && copy.size >= position.fingerprintBytes) return position
    }
    return undefined
  }

  /** A file was truncated: its copy, if there is one, has what was not read. */
  async #readOfCopy(path: string, position: FilePosition): Promise<void> {
    for (const { file, isCurrent } of await this.#openGenerations(path)) {
      try {
        if (isCurrent || this.#known.has(file.identity) || position.fingerprintBytes === 0) continue
        const { fingerprint } = await takeFingerprint(file.handle, position.fingerprintBytes)
        if (fingerprint !== position.fingerprint || file.size < position.offset) continue
        this.#known.set(file.identity, { ...position, identity: file.identity })
      } finally {
        await file.handle.close()
      }
    }
  }

  async *#readFile({ handle, identity }: TailedFile, isCurrent: boolean): AsyncGenerator<TailedLines> {
    for (;;) {
      const position = this.#known.get(identity)!
      const bytes = await readBytes(handle, position.offset, limits.file.chunkBytes)
      if (bytes.length === 0) return
      const isEnd = bytes.length < limits.file.chunkBytes
      const taken = takeLines(bytes, position.isSkipping === true)
      const waiting = this.#countWaiting(identity, taken.lines, { isEnd, size: position.offset + bytes.length })
      if (waiting > 0 && waiting === taken.lines.length) return
      let consumed = waiting === 0 ? taken.consumed : taken.starts[taken.lines.length - waiting]!
      const lines = taken.lines.slice(0, taken.lines.length - waiting)
      let isSkipping = waiting === 0 && taken.isSkipping
      let tooLongCount = 0
      if (consumed === 0 && !isEnd) {
        const longer = await readBytes(handle, position.offset, limits.file.lineBytesMax + 1)
        const end = longer.indexOf(lineFeed)
        if (end === -1 && longer.length <= limits.file.lineBytesMax) return
        if (end === -1) {
          tooLongCount = 1
          isSkipping = true
          consumed = longer.length
        } else {
          lines.push(trimLine(longer.subarray(0, end)))
          consumed = end + 1
        }
      } else if (consumed === 0) {
        if (isCurrent || !this.#hasRested(identity, position.offset + bytes.length)) return
        if (!isSkipping) lines.push(trimLine(bytes))
        isSkipping = false
        consumed = bytes.length
      }
      const { isSkipping: _before, ...rest } = position
      this.#known.set(identity, { ...rest, offset: position.offset + consumed, ...(isSkipping && { isSkipping: true as const }) })
      const full = lines.filter((line) => line.length > 0)
      yield { path: position.path, lines: full, tooLongCount, positions: this.positions }
    }
  }

  /** Lines that are left for the next look. A whole chunk of them is not. */
  #countWaiting(identity: string, lines: readonly Buffer[], { isEnd, size }: { readonly isEnd: boolean; readonly size: number }): number {
    const count = this.#options.countUnfinished?.(lines) ?? 0
    if (count === 0) return 0
    if (!isEnd) return count === lines.length ? 0 : count
    return this.#hasRested(identity, size) ? 0 : count
  }

  /** Whether a file has not grown for a while: what is left of one that was rotated is a line, then. */
  #hasRested(identity: string, size: number): boolean {
    const nowMs = this.#options.elapsedMs()
    const resting = this.#restingSince.get(identity)
    if (resting?.size !== size) {
      this.#restingSince.set(identity, { size, sinceMs: nowMs })
      return false
    }
    return nowMs - resting.sinceMs >= limits.file.restMs
  }

  #forgetGone(path: string, present: ReadonlySet<string>): void {
    for (const position of this.#known.values()) {
      if (position.path !== path || present.has(position.identity)) continue
      this.#known.delete(position.identity)
      this.#restingSince.delete(position.identity)
    }
  }
}

/** A file under its path, or one of its rotated siblings. */
type Generation = { readonly file: TailedFile; readonly isCurrent: boolean; readonly modifiedAt: bigint }

/** Names that rotation gives: `app.log.1`, `app.log-20261120`, `app-20261120.log`; compressed ones cannot be followed. */
function isGeneration(name: string, original: string): boolean {
  if (name === original || /\.(?:gz|bz2|xz|zst|lz4|tmp|swp)$/.test(name)) return false
  return name.startsWith(`${original}.`) || name.startsWith(`${original}-`)
}

function pickPrint({ fingerprint, fingerprintBytes }: FilePosition): Pick<FilePosition, 'fingerprint' | 'fingerprintBytes'> {
  return { fingerprint, fingerprintBytes }
}

/** The start of the last line, so that a line that is being written is read whole. */
async function findLineStart({ handle, size }: TailedFile): Promise<number> {
  const from = Math.max(0, size - limits.file.chunkBytes)
  const bytes = await readBytes(handle, from, size - from)
  const end = bytes.lastIndexOf(lineFeed)
  return end === -1 ? (from === 0 ? 0 : size) : from + end + 1
}

/** Splits bytes into whole lines with the places where they start; `consumed` are the bytes up to the end of the last one. */
function takeLines(bytes: Buffer, wasSkipping: boolean): { lines: Buffer[]; starts: number[]; consumed: number; isSkipping: boolean } {
  const lines: Buffer[] = []
  const starts: number[] = []
  let [start, isSkipping] = [0, wasSkipping]
  for (let end = bytes.indexOf(lineFeed); end !== -1; end = bytes.indexOf(lineFeed, start)) {
    if (!isSkipping) {
      lines.push(trimLine(bytes.subarray(start, end)))
      starts.push(start)
    }
    isSkipping = false
    start = end + 1
  }
  return { lines, starts, consumed: isSkipping ? bytes.length : start, isSkipping }
}

/** Copies a line without a carriage return: its buffer is large. */
function trimLine(line: Buffer): Buffer {
  return Buffer.from(line.at(-1) === 0x0d ? line.subarray(0, -1) : line)
}
