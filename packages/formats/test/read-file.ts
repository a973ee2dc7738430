import { readEventFile } from '../src/files/read-events.ts'
import type { FileFormatName } from '../src/files/file-format.ts'

type ReadFile = {
  readonly format: FileFormatName
  /** The lines of the output, the last line feed aside. */
  readonly lines: readonly string[]
  readonly problems: readonly string[]
}

/** Reads a file of these bytes, given in chunks of a size. */
export async function readFile(content: string | Uint8Array, chunkBytes = Infinity, stated?: FileFormatName): Promise<ReadFile> {
  const bytes = Buffer.from(content)
  const problems: string[] = []
  const report = ({ line, reason }: { readonly line: number; readonly reason: string }): void => void problems.push(`${line}: ${reason}`)
  const { format, chunks } = await readEventFile(cut(bytes, chunkBytes), report, { stated, readAt: Date.UTC(2026, 10, 23) })
  const parts: Buffer[] = []
  for await (const chunk of chunks) parts.push(Buffer.from(chunk))
  const text = Buffer.concat(parts).toString('utf8')
  return { format, lines: text === '' ? [] : text.replace(/\n$/, '').split('\n'), problems }
}

/** The events of a file, parsed, without blank lines. */
export async function readEvents(content: string | Uint8Array, chunkBytes?: number): Promise<readonly unknown[]> {
  const { lines } = await readFile(content, chunkBytes)
  return lines.filter((line) => line !== '').map((line): unknown => JSON.parse(line))
}

/** Chunks share one memory, as those of a reader do. */
async function* cut(bytes: Buffer, chunkBytes: number): AsyncGenerator<Buffer> {
  const size = Math.min(chunkBytes, Math.max(1, bytes.length))
  const memory = Buffer.alloc(size)
  for (let start = 0; start < bytes.length; start += size) {
    const length = bytes.copy(memory, 0, start, start + size)
    yield memory.subarray(0, length)
    memory.fill(0)
  }
}
