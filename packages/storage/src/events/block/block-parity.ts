import { crc32 } from 'node:zlib'

/**
 * The end of a block: forward error correction by parity, as in RAID 5. The bytes of the block are cut into chunks, each with
 * its checksum, and chunk `i` belongs to group `i % groupCount`; the XOR of a group is stored behind them. One corrupted chunk
 * in each group can be computed from the others, so a flipped bit costs nothing, and neither does a run of corrupted bytes as
 * long as `groupCount - 1` chunks.
 *
 * Layout: `[checksums of chunks and parity][checksum of these]` twice, then the parity of each group.
 */
type ParityLayout = {
  readonly chunkBytes: number
  readonly chunkCount: number
  readonly groupCount: number
  /** The length of one copy of the checksums. */
  readonly tableBytes: number
}

const chunkBytesMin = 256
const chunkBytesMax = 4_096
/** Chunks are halved while a block has fewer. */
const chunksWanted = 128
/** Chunks of a group: the parity takes a 128th of the block. */
const groupChunksMax = 128
/** Where a file system page lies across two chunks, both can be computed. */
const groupsMin = 2

/** The length of the parity of a block of so many bytes. */
export function getParityLength(contentLength: number): number {
  const { tableBytes, groupCount, chunkBytes } = layOut(contentLength)
  return 2 * tableBytes + groupCount * chunkBytes
}

/** Bytes of which the parity is computed between two turns. */
const parityStepBytes = 262_144

/** Joins the parts of a block and appends their parity; waits for `beforeStep` before each step, which tells its bytes. */
export async function appendParity(parts: readonly Buffer[], beforeStep: (byteCount: number) => Promise<void>): Promise<Buffer> {
  const contentLength = parts.reduce((sum, { length }) => sum + length, 0)
  const layout = layOut(contentLength)
  const block = Buffer.alloc(contentLength + getParityLength(contentLength))
  let end = 0
  for (const part of parts) {
    await beforeStep(part.length)
    block.set(part, end)
    end += part.length
  }
  const content = block.subarray(0, contentLength)
  const parity = createParity(layout)
  const checksums: number[] = []
  const chunksPerStep = parityStepBytes / layout.chunkBytes
  for (let chunk = 0; chunk < layout.chunkCount; chunk += chunksPerStep) {
    await beforeStep(parityStepBytes)
    const [start, stop] = [chunk, Math.min(chunk + chunksPerStep, layout.chunkCount)]
    addToParity(parity, content, { layout, start, stop })
    for (let i = start; i < stop; i++) checksums.push(crc32(content.subarray(i * layout.chunkBytes, (i + 1) * layout.chunkBytes)))
  }
  writeParity(block.subarray(contentLength), { parity: Buffer.from(parity.buffer), checksums, layout })
  return block
}

/** Computes the parity of the bytes of a block. */
function encodeParity(content: Buffer): Buffer {
  const layout = layOut(content.length)
  const parity = createParity(layout)
  addToParity(parity, content, { layout, start: 0, stop: layout.chunkCount })
  const encoded = Buffer.alloc(getParityLength(content.length))
  const checksums = listChunks(content, layout).map((chunk) => crc32(chunk))
  writeParity(encoded, { parity: Buffer.from(parity.buffer), checksums, layout })
  return encoded
}

type Parity = { readonly parity: Buffer; readonly checksums: readonly number[]; readonly layout: ParityLayout }

/** Writes the table of checksums twice and the parity. */
function writeParity(into: Buffer, { parity, checksums, layout }: Parity): void {
  const table = encodeTable([...checksums, ...listChunks(parity, layout).map((chunk) => crc32(chunk))])
  into.set(table, 0)
  into.set(table, table.length)
  into.set(parity, 2 * table.length)
}

/**
 * Checks the bytes of a block with its parity, and computes those that are corrupted from the others. Returns the same buffer
 * where all is well, a repaired copy, or undefined where too much is corrupted.
 */
export function repairBlock(bytes: Buffer, contentLength: number): Buffer | undefined {
  const layout = layOut(contentLength)
  const { tableBytes, groupCount, chunkBytes } = layout
  if (bytes.length !== contentLength + getParityLength(contentLength)) return undefined
  const tables = [0, 1].map((copy) => bytes.subarray(contentLength + copy * tableBytes, contentLength + (copy + 1) * tableBytes))
  const goodTables = tables.filter(isTableGood)
  const [table] = goodTables
  if (table === undefined) return undefined
  const parityStart = contentLength + 2 * tableBytes
  const bad = findBadChunks(bytes, { contentLength, parityStart, table, layout })
  if (bad.length === 0 && goodTables.length === tables.length) return bytes
  const content = Buffer.from(bytes.subarray(0, contentLength))
  const parity = bytes.subarray(parityStart)
  const groups = new Set<number>()
  for (const index of bad) {
    const group = index < layout.chunkCount ? index % groupCount : index - layout.chunkCount
    if (groups.has(group)) return undefined
    groups.add(group)
    if (index >= layout.chunkCount) continue
    restoreChunk(content, { index, parity: parity.subarray(group * chunkBytes, (group + 1) * chunkBytes), layout })
  }
  const repaired = Buffer.concat([content, encodeParity(content)])
  // Checksums of 32 bits may agree by chance, and the table was not computed from these bytes.
  return repaired.subarray(contentLength, contentLength + tableBytes).equals(table) ? repaired : undefined
}

function layOut(contentLength: number): ParityLayout {
  let chunkBytes = chunkBytesMax
  while (chunkBytes > chunkBytesMin && contentLength < chunksWanted * chunkBytes) chunkBytes /= 2
  const chunkCount = Math.ceil(contentLength / chunkBytes)
  const groupCount = Math.min(chunkCount, Math.max(groupsMin, Math.ceil(chunkCount / groupChunksMax)))
  return { chunkBytes, chunkCount, groupCount, tableBytes: 4 * (chunkCount + groupCount + 1) }
}

function listChunks(bytes: Buffer, { chunkBytes }: ParityLayout): Buffer[] {
  return Array.from({ length: Math.ceil(bytes.length / chunkBytes) }, (_, i) => bytes.subarray(i * chunkBytes, (i + 1) * chunkBytes))
}

function createParity({ groupCount, chunkBytes }: ParityLayout): Uint32Array {
  return new Uint32Array((groupCount * chunkBytes) / 4)
}

type ChunkRange = { readonly layout: ParityLayout; readonly start: number; readonly stop: number }

/** Adds chunks to the XOR of their groups; the last chunk of the block is taken as filled up with zeros. */
function addToParity(parity: Uint32Array, content: Buffer, { layout: { chunkBytes, groupCount }, start, stop }: ChunkRange): void {
  const chunkWords = chunkBytes / 4
  // A copy, because views of four bytes must be aligned.
  const padded = new Uint8Array((stop - start) * chunkBytes)
  padded.set(content.subarray(start * chunkBytes, stop * chunkBytes))
  const source = new Uint32Array(padded.buffer)
  for (let chunk = start; chunk < stop; chunk++) {
    const from = (chunk - start) * chunkWords
    const to = (chunk % groupCount) * chunkWords
    for (let i = 0; i < chunkWords; i++) parity[to + i]! ^= source[from + i]!
  }
}

/** Replaces a chunk by the XOR of the others of its group and their parity. */
function restoreChunk(
  content: Buffer, { index, parity, layout: { chunkBytes, chunkCount, groupCount } }: {
    readonly index: number; readonly parity: Buffer; readonly layout: ParityLayout
  },
): void {
  const restored = Buffer.from(parity)
  for (let other = index % groupCount; other < chunkCount; other += groupCount) {
    if (other === index) continue
    const chunk = content.subarray(other * chunkBytes, (other + 1) * chunkBytes)
    for (let i = 0; i < chunk.length; i++) restored[i]! ^= chunk[i]!
  }
  restored.copy(content, index * chunkBytes)
}

function encodeTable(checksums: readonly number[]): Buffer {
  const table = Buffer.alloc(4 * (checksums.length + 1))
  for (const [i, checksum] of checksums.entries()) table.writeUInt32LE(checksum, 4 * i)
  table.writeUInt32LE(crc32(table.subarray(0, -4)), 4 * checksums.length)
  return table
}

function isTableGood(table: Buffer): boolean {
  return crc32(table.subarray(0, -4)) === table.readUInt32LE(table.length - 4)
}

/** The chunks whose checksum is wrong, those of the parity behind those of the block. */
function findBadChunks(
  bytes: Buffer, { contentLength, parityStart, table, layout }: {
    readonly contentLength: number; readonly parityStart: number; readonly table: Buffer; readonly layout: ParityLayout
  },
): number[] {
  const chunks = [...listChunks(bytes.subarray(0, contentLength), layout), ...listChunks(bytes.subarray(parityStart), layout)]
  return chunks.flatMap((chunk, i) => (crc32(chunk) === table.readUInt32LE(4 * i) ? [] : [i]))
}
