import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'

/** A regular file of an archive. */
export type TarFile = { readonly path: string; readonly text: string }

const blockSize = 512

/**
 * Reads the regular files of a gzipped tar archive in order: the ustar format with GNU long names and pax headers, whose
 * `path` replaces the name of the next file.
 */
export function readTar(archive: string): TarFile[] {
  const bytes = gunzipSync(readFileSync(archive))
  const files: TarFile[] = []
  let longPath: string | undefined
  for (let at = 0; at + blockSize <= bytes.length && bytes[at] !== 0; ) {
    const header = bytes.subarray(at, at + blockSize)
    const size = Number.parseInt(textOf(header, 124, 12), 8)
    const content = bytes.subarray(at + blockSize, at + blockSize + size)
    const type = textOf(header, 156, 1)
    if (type === 'L') longPath = textOf(content, 0, size)
    else if (type === 'x') longPath = /^\d+ path=(.*)$/m.exec(content.toString('utf8'))?.[1]
    else {
      const name = [textOf(header, 345, 155), textOf(header, 0, 100)].filter((part) => part !== '').join('/')
      if (type === '0' || type === '') files.push({ path: longPath ?? name, text: content.toString('utf8') })
      longPath = undefined
    }
    at += blockSize + Math.ceil(size / blockSize) * blockSize
  }
  return files
}

/** Reads a zero-terminated field. */
function textOf(bytes: Buffer, start: number, length: number): string {
  const [text = ''] = bytes.toString('utf8', start, start + length).split('\0', 1)
  return text
}
