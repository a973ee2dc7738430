import { crc32, deflateSync } from 'node:zlib'

type Png = {
  readonly width: number
  readonly height: number
  /** 2 for RGB, 6 for RGB with alpha. */
  readonly colorType?: 2 | 6
  /** Chunks before the pixels, by type. */
  readonly extra?: Readonly<Record<string, Buffer>>
  /** The stated bits a sample, and whether it is stated as interlaced. */
  readonly depth?: number
  readonly interlace?: number
  /** The rows, each after its filter; blue by default. */
  readonly pixels?: Buffer
}

/** Makes a PNG in one color. */
export function createPng({ width, height, colorType = 2, extra = {}, depth = 8, interlace = 0, pixels }: Png): Buffer {
  const head = Buffer.alloc(13)
  head.writeUInt32BE(width, 0)
  head.writeUInt32BE(height, 4)
  head.set([depth, colorType, 0, 0, interlace], 8)
  const color = colorType === 2 ? [9, 105, 218] : [9, 105, 218, 128]
  const rows = pixels ?? Buffer.from(Array.from({ length: height }, () => [0, ...Array.from({ length: width }, () => color).flat()]).flat())
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]), createChunk('IHDR', head),
    ...Object.entries(extra).map(([type, data]) => createChunk(type, data)), createChunk('IDAT', deflateSync(rows)),
    createChunk('IEND', Buffer.alloc(0)),
  ])
}

function createChunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const [length, checksum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.length)
  checksum.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, checksum])
}
