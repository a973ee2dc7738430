import { expect, test } from 'vitest'
import { CorruptionError } from '../../log/byte-reader.ts'
import { decodeDirectory, encodeDirectory } from './block-directory.ts'
import type { BlockDirectory } from './block-directory.ts'

const rules = JSON.stringify({ aliases: [['Image', ['process.executable']]], ignoresNameCase: false })

const directory: BlockDirectory = {
  rules: [rules, JSON.stringify({ aliases: [], ignoresNameCase: true })],
  shapes: [
    { rules: 0, template: '{"a":\u0000,"b":{"c":\u0000}}', count: 3 },
    { rules: 1, template: '{"\u00e4":\u0000}', count: 200 },
    { rules: 0, paths: [['a'], ['b', 'é']], emptyPaths: [['c']], count: 1 },
  ],
  columns: [
    { pathKey: '["a"]', range: null, dictionary: 0, size: 3, codes: 1 },
    { pathKey: '["b","é"]', range: [-1.5, 1e300], chunks: [{ first: 0, part: 2 }, { first: 70_000, part: 3 }], size: 90_000, codes: 4 },
    { pathKey: '["n"]', range: [0, 9], kind: 'integer', numbers: 5 },
    { pathKey: '["t"]', range: null, kind: 'instant', numbers: 6 },
  ],
  times: 7, sequences: 8, severities: 9, arrivals: 0, catalog: 10,
  parts: [{ frame: 0, offset: 0, length: 10 }, { frame: 1, offset: 300_000, length: 2 ** 31 }],
  frames: [{ offset: 400_000, length: 20, rawLength: 80, crc: 0xffffffff }, { offset: 400_020, length: 1, rawLength: 1, crc: 0 }],
}

/** What readers see, with templates by their keys. */
function describeDirectory(raw: Buffer, version: 4 | 5) {
  const { templates, getPart, byteCount: _, ...rest } = decodeDirectory(raw, version)
  const shapes = templates.map(({ template: { key, paths, emptyPaths }, count }) => ({ key, paths, emptyPaths, count }))
  return { ...rest, shapes, parts: [0, 1, 2].map((number) => getPart(number)) }
}

test('a directory is read as it was in JSON, whether its templates are known or not', () => {
  const former = describeDirectory(Buffer.from(JSON.stringify(directory)), 4)
  const { arrivals: _, ...without } = directory
  for (const round of [1, 2]) {
    expect([round, describeDirectory(encodeDirectory(directory), 5)]).toEqual([round, former])
    expect(describeDirectory(encodeDirectory(without), 5)).not.toHaveProperty('arrivals')
  }
  expect(former.parts).toEqual([...directory.parts, undefined])
})

test('a directory that ends early is corrupted, wherever it ends', () => {
  const raw = encodeDirectory({ ...directory, rules: [rules, '{"aliases":[["x",["y"]]],"ignoresNameCase":false}'] })
  for (let end = 0; end < raw.length; end++) expect(() => decodeDirectory(raw.subarray(0, end), 5), `${end}`).toThrow(CorruptionError)
})
