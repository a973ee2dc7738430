import { describe, expect, test } from 'vitest'
import { createPng } from '../../test/create-png.ts'
import { readPng } from './read-png.ts'

const size = { width: 3, height: 2 }
const whole = createPng(size)
const flipped = Buffer.from(whole)
flipped[whole.length - 20]! ^= 1

describe('a logo', () => {
  test('keeps its pixels, and nothing that is not part of the picture', () => {
    const extra = { tEXt: Buffer.from('Author\0Ann'), eXIf: Buffer.from('a place') }
    const { png, width, height } = readPng(createPng({ ...size, extra }))
    expect([width, height]).toEqual([3, 2])
    expect(whole.equals(png)).toBe(true)
    // What follows the end is no part of it either.
    expect(whole.equals(readPng(Buffer.concat([whole, Buffer.from('<script>')])).png)).toBe(true)
  })

  test.for([
    ['with alpha', createPng({ ...size, colorType: 6 })], ['of the largest size', createPng({ width: 1_200, height: 400 })],
  ] as const)('%s is taken', ([, file]) => {
    expect(file.equals(readPng(file).png)).toBe(true)
  })

  test.for([
    ['an SVG', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'), 'it is no PNG'], ['nothing', Buffer.alloc(0), 'it is no PNG'],
    ['a signature alone', whole.subarray(0, 8), 'the PNG is cut off'], ['a PNG without its end', whole.subarray(0, -12), 'the PNG is cut off'],
    ['a PNG within a chunk', whole.subarray(0, -14), 'the PNG is cut off'], ['a flipped bit', flipped, 'the PNG is damaged'],
    ['too wide a PNG', createPng({ width: 1_201, height: 1 }), 'it has 1201 x 1 pixels; at most 1200 x 400 are allowed'],
    ['too high a PNG', createPng({ width: 1, height: 401 }), 'it has 1 x 401 pixels; at most 1200 x 400 are allowed'],
    ['no pixels', createPng({ width: 0, height: 1 }), 'it has 0 x 1 pixels; at most 1200 x 400 are allowed'],
    ['16 bits', createPng({ ...size, depth: 16 }), 'save the PNG with 8 bits a channel and without interlacing'],
    ['an interlaced PNG', createPng({ ...size, interlace: 1 }), 'save the PNG with 8 bits a channel and without interlacing'],
    ['fewer pixels than stated', createPng({ ...size, pixels: Buffer.alloc(10) }), 'the PNG does not have the pixels that it states'],
    ['pixels that unpack to more than stated', createPng({ ...size, pixels: Buffer.alloc(9_000_000) }), 'the pixels of the PNG cannot be read'],
    ['an unknown filter', createPng({ ...size, pixels: Buffer.alloc(20, 5) }), 'the pixels of the PNG cannot be read'],
  ] as const)('%s is refused', ([, file, message]) => {
    expect(() => readPng(file)).toThrow(message)
  })
})
