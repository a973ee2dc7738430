import { limits } from '@tripline/contract/limits'
import type { ReportLogo } from '@tripline/model/report'
import { crc32, inflateSync } from 'node:zlib'

const { logoWidthMax, logoHeightMax } = limits.reports
const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
/** Samples of a pixel, by color type: grey, RGB, palette, grey and alpha, RGBA. */
const samples: { readonly [colorType: number]: number } = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 }
const kept = new Set(['IHDR', 'PLTE', 'tRNS', 'IDAT', 'IEND'])

type Chunk = { readonly type: string; readonly data: Buffer; readonly bytes: Buffer }

/**
 * Reads a PNG that PDFs can hold: at most `logoWidthMax` by `logoHeightMax` pixels, 8 bits a sample, not interlaced, with all of its
 * pixels. What is not part of the picture, such as texts and places in metadata, is left out.
 *
 * @throws Error with the reason in words.
 */
export function readPng(file: Buffer): ReportLogo {
  if (!file.subarray(0, signature.length).equals(signature)) throw new Error('it is no PNG')
  const chunks = readChunks(file)
  const [head] = chunks
  if (head?.type !== 'IHDR' || head.data.length !== 13 || chunks.at(-1)?.type !== 'IEND') throw new Error('the PNG is cut off')
  const [width, height] = [head.data.readUInt32BE(0), head.data.readUInt32BE(4)]
  const [depth, colorType, compression, filter, interlace] = head.data.subarray(8)
  if (width === 0 || height === 0 || width > logoWidthMax || height > logoHeightMax) {
    throw new Error(`it has ${width} x ${height} pixels; at most ${logoWidthMax} x ${logoHeightMax} are allowed`)
  }
  const perPixel = samples[colorType ?? -1]
  if (depth !== 8 || perPixel === undefined || compression !== 0 || filter !== 0 || interlace !== 0) {
    throw new Error('save the PNG with 8 bits a channel and without interlacing')
  }
  if (colorType === 3 && !chunks.some(({ type, data }) => type === 'PLTE' && data.length <= 768 && data.length % 3 === 0)) {
    throw new Error('the PNG has no palette')
  }
  checkPixels(chunks, height * (1 + width * perPixel), 1 + width * perPixel)
  const png = Buffer.concat([signature, ...chunks.filter(({ type }) => kept.has(type)).map(({ bytes }) => bytes)])
  return { png, width, height }
}

function readChunks(file: Buffer): readonly Chunk[] {
  const chunks: Chunk[] = []
  for (let at = signature.length; at < file.length && chunks.at(-1)?.type !== 'IEND';) {
    if (at + 12 > file.length) throw new Error('the PNG is cut off')
    const length = file.readUInt32BE(at)
    const end = at + 12 + length
    if (end > file.length) throw new Error('the PNG is cut off')
    const data = file.subarray(at + 8, end - 4)
    if (crc32(file.subarray(at + 4, end - 4)) !== file.readUInt32BE(end - 4)) throw new Error('the PNG is damaged')
    chunks.push({ type: file.toString('latin1', at + 4, at + 8), data, bytes: file.subarray(at, end) })
    at = end
  }
  return chunks
}

/** Inflates the pixels, never more than there may be, and checks the filter of each row. */
function checkPixels(chunks: readonly Chunk[], length: number, rowLength: number): void {
  const packed = Buffer.concat(chunks.filter(({ type }) => type === 'IDAT').map(({ data }) => data))
  let pixels: Buffer
  try {
    pixels = inflateSync(packed, { maxOutputLength: length + 1 })
  } catch (error) {
    throw new Error('the pixels of the PNG cannot be read', { cause: error })
  }
  if (pixels.length !== length) throw new Error('the PNG does not have the pixels that it states')
  for (let at = 0; at < length; at += rowLength) {
    if ((pixels[at] ?? 0) > 4) throw new Error('the pixels of the PNG cannot be read')
  }
}
