import { exitCodes } from '@tripline/common/exit-error'
import { Writable } from 'node:stream'
import { expect, test } from 'vitest'
import { isReaderGone, writeText } from './write-text.ts'

/** A stream that ends every write with this error. */
function failing(code: string): Writable {
  const stream = new Writable({ write: (_chunk, _encoding, done) => done(Object.assign(new Error(code), { code })) })
  return stream.on('error', () => {})
}

test('rejects with the error itself when the reader has gone', async () => {
  await expect(writeText(failing('EPIPE'), 'x')).rejects.toSatisfy(isReaderGone)
})

test('rejects with an exit code when the disk is full', async () => {
  const error = { exitCode: exitCodes.unwritable, message: 'the output cannot be written: no space is left on the device' }
  await expect(writeText(failing('ENOSPC'), 'x')).rejects.toMatchObject(error)
})

test('waits until a slow stream has taken the text', async () => {
  let isTaken = false
  const slow = new Writable({
    write(_chunk, _encoding, done) {
      setTimeout(() => { isTaken = true; done() }, 20)
    },
  })
  await writeText(slow, 'x')
  expect(isTaken).toBe(true)
})

test('writes nothing for no text', async () => {
  await expect(writeText(failing('EPIPE'), '')).resolves.toBeUndefined()
})
