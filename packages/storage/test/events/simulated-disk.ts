import type { FileSystem, RandomAccessFile } from '../../src/disk/file-system.ts'

/** The effect on one step: let it pass, or fail as described. */
export type Fault = 'full' | 'failedSync' | 'shortWrite' | 'failedWrite' | 'tornWrite'

/** The disk lost power and responds no more. */
export class PowerLost extends Error {}

type Content = { bytes: Buffer; synced: Buffer; pieces: { offset: number; bytes: Buffer }[] }

export type SimulatedDiskOptions = {
  /** Called before each operation, reading ones included; it fails with the returned error code, such as `EMFILE`. */
  readonly errorAt?: (operation: string) => string | undefined
  /** Called before each step that changes something, with its number from 0; undefined lets it pass. */
  readonly faultAt?: (step: number, what: string) => Fault | 'powerCut' | undefined
}

/**
 * A disk in memory that keeps synced bytes across a power cut, and a random part of the rest: unsynced writes may be
 * there, in part, or not; unsynced names may be missing.
 */
export class SimulatedDisk implements FileSystem {
  readonly #faultAt: NonNullable<SimulatedDiskOptions['faultAt']>
  #files = new Map<string, Content>()
  /** Names that survive a power cut. */
  #syncedNames = new Map<string, Content>()
  #folders = new Set<string>()
  #stepCount = 0
  #isOff = false
  readonly #errorAt: NonNullable<SimulatedDiskOptions['errorAt']>

  constructor({ faultAt = () => undefined, errorAt = () => undefined }: SimulatedDiskOptions = {}) {
    this.#errorAt = errorAt
    this.#faultAt = faultAt
  }

  get stepCount(): number {
    return this.#stepCount
  }

  async open(path: string, use: 'read' | 'write'): Promise<RandomAccessFile> {
    this.#checkOn()
    this.#throwErrorAt(`open ${path}`)
    let content = this.#files.get(path)
    if (content === undefined) {
      if (use === 'read') throw Object.assign(new Error(`${path} is not there`), { code: 'ENOENT' })
      if (!this.#folders.has(folderOf(path))) throw Object.assign(new Error(`no folder for ${path}`), { code: 'ENOENT' })
      this.#step(`create ${path}`)
      content = { bytes: Buffer.alloc(0), synced: Buffer.alloc(0), pieces: [] }
      this.#files.set(path, content)
    }
    return this.#fileOf(path, content)
  }

  async list(folder: string): Promise<readonly string[]> {
    this.#checkOn()
    this.#throwErrorAt(`list ${folder}`)
    const inside = [...this.#files.keys(), ...this.#folders].filter((path) => folderOf(path) === folder)
    return [...new Set(inside.map((path) => path.slice(folder.length + 1)))].sort()
  }

  /** Folders are durable at once: their creation is not under test. */
  async makeFolder(folder: string): Promise<void> {
    this.#checkOn()
    const steps = folder.split('/')
    for (let count = 1; count <= steps.length; count++) this.#folders.add(steps.slice(0, count).join('/'))
  }

  async syncFolder(folder: string): Promise<void> {
    this.#throwErrorAt(`sync folder ${folder}`)
    if (this.#step(`sync folder ${folder}`) === 'failedSync') throw new Error('the folder was not synced')
    for (const path of new Set([...this.#files.keys(), ...this.#syncedNames.keys()])) {
      if (folderOf(path) !== folder) continue
      const content = this.#files.get(path)
      if (content === undefined) this.#syncedNames.delete(path)
      else this.#syncedNames.set(path, content)
    }
  }

  async remove(path: string): Promise<void> {
    this.#throwErrorAt(`remove ${path}`)
    this.#step(`remove ${path}`)
    this.#files.delete(path)
  }

  async rename(from: string, to: string): Promise<void> {
    this.#step(`rename ${from}`)
    const content = this.#files.get(from)
    if (content === undefined) throw Object.assign(new Error(`${from} is not there`), { code: 'ENOENT' })
    this.#files.delete(from)
    this.#files.set(to, content)
  }

  /** The disk after a power cut; `chance` returns numbers from 0 to 1. */
  restarted(chance: () => number, options: SimulatedDiskOptions = {}): SimulatedDisk {
    const disk = new SimulatedDisk(options)
    disk.#folders = new Set(this.#folders)
    for (const path of new Set([...this.#files.keys(), ...this.#syncedNames.keys()])) {
      const synced = this.#syncedNames.get(path)
      const current = this.#files.get(path)
      // An unsynced rename or removal may have happened or not.
      const content = synced === current || chance() < 0.5 ? current : synced
      if (content === undefined) continue
      const bytes = survivorOf(content, chance)
      const survivor = { bytes, synced: bytes, pieces: [] }
      disk.#files.set(path, survivor)
      disk.#syncedNames.set(path, survivor)
    }
    return disk
  }

  /** The disk that the next process finds after a kill: everything is there, and unsynced bytes still are unsynced. */
  afterKill(options: SimulatedDiskOptions = {}): SimulatedDisk {
    const disk = new SimulatedDisk(options)
    disk.#files = this.#files
    disk.#syncedNames = this.#syncedNames
    disk.#folders = this.#folders
    return disk
  }

  /** Corrupts one byte of a file. */
  flip(path: string, offset: number): void {
    const content = this.#files.get(path)
    if (content === undefined) throw new Error(`${path} is not there`)
    content.bytes = Buffer.from(content.bytes)
    content.bytes[offset]! ^= 0x10
  }

  sizeOf(path: string): number {
    return this.#files.get(path)?.bytes.length ?? 0
  }

  /** The paths of files that hold a text. */
  find(text: string): readonly string[] {
    return this.paths.filter((path) => this.#files.get(path)!.bytes.includes(text))
  }

  get paths(): readonly string[] {
    return [...this.#files.keys()].sort()
  }

  #fileOf(path: string, content: Content): RandomAccessFile {
    return {
      size: async () => {
        this.#checkOn()
        this.#throwErrorAt(`size ${path}`)
        return content.bytes.length
      },
      read: async (position, length) => {
        this.#checkOn()
        this.#throwErrorAt(`read ${path}`)
        return Buffer.from(content.bytes.subarray(position, position + length))
      },
      write: async (bytes, position) => {
        this.#throwErrorAt(`write ${path}`, () => put(content, bytes.subarray(0, bytes.length >> 1), position))
        const fault = this.#step(`write ${path}`, () => put(content, bytes.subarray(0, bytes.length >> 1), position))
        if (fault === 'full' || fault === 'failedWrite') {
          put(content, bytes.subarray(0, bytes.length >> 1), position)
          throw Object.assign(new Error(`${path} was not written`), { code: fault === 'full' ? 'ENOSPC' : 'EIO' })
        }
        const taken = fault === 'shortWrite' ? bytes.subarray(0, Math.max(1, bytes.length >> 1)) : bytes
        put(content, taken, position)
        return taken.length
      },
      truncate: async (size) => {
        this.#throwErrorAt(`truncate ${path}`)
        this.#step(`truncate ${path}`)
        const bytes = Buffer.alloc(size)
        content.bytes.copy(bytes)
        content.bytes = bytes
        // Truncated bytes may survive a power cut like any other change; here they count as gone.
        content.synced = content.synced.subarray(0, size)
        content.pieces = content.pieces.filter(({ offset, bytes: piece }) => offset + piece.length <= size)
      },
      sync: async () => {
        this.#throwErrorAt(`sync ${path}`)
        if (this.#step(`sync ${path}`) === 'failedSync') throw new Error(`${path} was not synced`)
        content.synced = content.bytes
        content.pieces = []
      },
      close: async () => {},
    }
  }

  #step(what: string, onPowerCut: () => void = () => {}): Fault | undefined {
    this.#checkOn()
    const fault = this.#faultAt(this.#stepCount++, what)
    if (fault !== 'powerCut') return fault
    onPowerCut()
    this.#isOff = true
    throw new PowerLost('the power was cut')
  }

  #throwErrorAt(operation: string, before: () => void = () => {}): void {
    const code = this.#errorAt(operation)
    if (code === undefined) return
    before()
    throw Object.assign(new Error(`${code}: ${operation}`), { code })
  }

  #checkOn(): void {
    if (this.#isOff) throw new PowerLost('the power was cut')
  }
}

function put(content: Content, bytes: Uint8Array, position: number): void {
  const larger = Buffer.alloc(Math.max(content.bytes.length, position + bytes.length))
  content.bytes.copy(larger)
  larger.set(bytes, position)
  content.bytes = larger
  content.pieces.push({ offset: position, bytes: Buffer.from(bytes) })
}

/** The synced bytes, with some of the later writes, some of them in part. */
function survivorOf({ synced, pieces }: Content, chance: () => number): Buffer {
  let bytes = Buffer.from(synced)
  for (const piece of pieces) {
    const fate = chance()
    if (fate < 0.3) continue
    const kept = fate < 0.6 ? piece.bytes.subarray(0, Math.floor(chance() * piece.bytes.length)) : piece.bytes
    const larger = Buffer.alloc(Math.max(bytes.length, piece.offset + kept.length))
    bytes.copy(larger)
    larger.set(kept, piece.offset)
    bytes = larger
  }
  return bytes
}

function folderOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')))
}
