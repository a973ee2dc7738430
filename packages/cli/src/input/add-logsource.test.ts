import { describe, expect, test } from 'vitest'
import { createLogsourceAdder } from './add-logsource.ts'

async function add(text: string, chunkBytes: number): Promise<string> {
  const bytes = Buffer.from(text)
  const cut = async function* (): AsyncGenerator<Buffer> {
    for (let start = 0; start < bytes.length; start += chunkBytes) yield bytes.subarray(start, start + chunkBytes)
  }
  const parts: Buffer[] = []
  for await (const part of createLogsourceAdder('product=linux,service=sshd')(cut())) parts.push(part)
  return Buffer.concat(parts).toString()
}

const member = '"_logsource":{"product":"linux","service":"sshd"}'

describe('adds the log source', () => {
  test.for<[lines: string, want: string]>([
    ['{"a":1}\n{"b":2}\n', `{${member},"a":1}\n{${member},"b":2}\n`],
    ['{}\n { } \n', `{${member}}\n {${member} } \n`],
    ['\n\nnonsense\n{"a":{"b":{}}}', `\n\nnonsense\n{${member},"a":{"b":{}}}`],
    ['{\n{"a":1}\n', `{${member}\n{${member},"a":1}\n`],
    ['{"_logsource":{"product":"aws"}}\n', `{${member},"_logsource":{"product":"aws"}}\n`],
  ])('%j', async ([lines, want]) => {
    for (const chunkBytes of [1, 2, 5, 1_000]) expect(await add(lines, chunkBytes)).toBe(want)
  })

  test.for(['linux', 'product=', 'host=a', 'product=a=b', ''])('refuses %j', (text) => {
    expect(() => createLogsourceAdder(text)).toThrow('--logsource')
  })
})
