import { ExitError, exitCodes } from '@tripline/common/exit-error'
import { unzipSync } from 'fflate'
import { gunzipSync } from 'node:zlib'
import { Parser } from 'tar/parse'
import { limits } from '../limits.ts'
import { isKeptFile } from './collection.ts'
import type { CollectionFiles } from './collection.ts'

type ArchiveOptions = {
  /** What errors call it. */
  readonly name: string
  /** Whether a single folder around everything, such as `sigma-1.2/`, is left out of the paths. */
  readonly stripsFolder: boolean
}

/**
 * Reads the rules of an archive: zip, tar or tar.gz, by its first bytes. Links and what else is no file are left out.
 *
 * @throws ExitError (65) for bytes that are no archive, a path that leads outside, or more than the limits.
 */
export async function readArchive(bytes: Buffer, { name, stripsFolder }: ArchiveOptions): Promise<CollectionFiles> {
  try {
    const entries = isZip(bytes) ? readZip(bytes) : await readTar(isGzip(bytes) ? inflate(bytes) : bytes)
    const folder = stripsFolder ? findCommonFolder(entries.paths) : ''
    return new Map([...entries.files].map(([path, content]) => [checkPath(path, name).slice(folder.length), content]))
  } catch (error) {
    if (error instanceof ExitError) throw error
    const message = `'${name}' is no archive that can be read (zip, tar, tar.gz): ${error instanceof Error ? error.message : String(error)}`
    throw new ExitError(exitCodes.noData, message, { cause: error })
  }
}

function isZip(bytes: Buffer): boolean {
  return bytes.subarray(0, 2).toString('latin1') === 'PK'
}

function isGzip(bytes: Buffer): boolean {
  return bytes[0] === 0x1f && bytes[1] === 0x8b
}

function inflate(bytes: Buffer): Buffer {
  return gunzipSync(bytes, { maxOutputLength: limits.collectionArchiveBytesMax })
}

/** The kept files of an archive, and the paths of all files in it. */
type ArchiveEntries = { readonly files: CollectionFiles; readonly paths: readonly string[] }

function readZip(bytes: Buffer): ArchiveEntries {
  const size = new SizeCheck()
  const paths: string[] = []
  // The filter sees the stated size; an entry that is longer than it states is cut there.
  const entries = unzipSync(bytes, {
    filter: ({ name, originalSize }) => {
      if (!name.endsWith('/')) paths.push(name)
      return isKeptFile(name) && size.add(originalSize)
    },
  })
  return { files: new Map(Object.entries(entries).map(([path, content]) => [path, Buffer.from(content)])), paths }
}

async function readTar(bytes: Buffer): Promise<ArchiveEntries> {
  const files = new Map<string, Buffer>()
  const paths: string[] = []
  const size = new SizeCheck()
  const parser = new Parser({ strict: true })
  await new Promise<void>((done, fail) => {
    parser.on('entry', (entry) => {
      const { type } = entry
      const path = entry.path.replace(/^\.\//, '')
      if (type !== 'Directory') paths.push(path)
      if ((type !== 'File' && type !== 'OldFile') || !isKeptFile(path)) {
        entry.resume()
        return
      }
      const pieces: Buffer[] = []
      entry.on('data', (piece: Buffer) => pieces.push(piece))
      entry.on('end', () => {
        try {
          size.add(entry.size)
          files.set(path, Buffer.concat(pieces))
        } catch (error) {
          fail(error as Error)
        }
      })
    })
    parser.on('end', () => done())
    parser.on('error', fail)
    parser.end(bytes)
  })
  return { files, paths }
}

/** Counts files and bytes. */
class SizeCheck {
  #files = 0
  #bytes = 0

  /** @throws ExitError (65) beyond a limit. */
  add(bytes: number): true {
    this.#files++
    this.#bytes += bytes
    const { ruleFilesMax, collectionBytesMax } = limits
    if (this.#files > ruleFilesMax) throw new ExitError(exitCodes.tooLarge, `the archive holds more than ${ruleFilesMax} files of rules`)
    if (this.#bytes <= collectionBytesMax) return true
    throw new ExitError(exitCodes.tooLarge, `the rules of the archive take more than ${collectionBytesMax} bytes`)
  }
}

/** The folder around all files, with a slash at its end; empty where there is none. */
function findCommonFolder(paths: readonly string[]): string {
  const [first = ''] = paths
  const folder = first.slice(0, first.indexOf('/') + 1)
  return paths.every((path) => path.startsWith(folder)) ? folder : ''
}

function checkPath(path: string, name: string): string {
  if (!path.startsWith('/') && !/(?:^|\/)\.\.(?:\/|$)|[\0\\]/.test(path) && !/^[a-z]:/i.test(path)) return path
  throw new ExitError(exitCodes.noData, `'${name}' holds the path '${path}', which leads outside of it`)
}
