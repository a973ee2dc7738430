import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { nodeFileSystem } from './file-system.ts'
import type { FileSystem } from './file-system.ts'
import { overlayFileSystem } from './file-system-overlay.ts'

type Step =
  | { readonly kind: 'append'; readonly text: string }
  | { readonly kind: 'truncate'; readonly share: number }
  | { readonly kind: 'remove' }
  | { readonly kind: 'rename' }

const steps = fc.array(fc.oneof(
  fc.record({ kind: fc.constant('append' as const), text: fc.string({ minLength: 1, maxLength: 5, unit: 'grapheme-ascii' }) }),
  fc.record({ kind: fc.constant('truncate' as const), share: fc.double({ min: 0, max: 1, noNaN: true }) }),
  fc.record({ kind: fc.constant('remove' as const) }),
  fc.record({ kind: fc.constant('rename' as const) }),
), { maxLength: 8 })

async function take(disk: FileSystem, step: Step): Promise<string> {
  if (step.kind === 'remove') {
    await disk.remove('log/a')
    return (await disk.list('log')).join()
  }
  if (step.kind === 'rename') {
    await (await disk.open('log/a', 'write')).close()
    await disk.rename('log/a', 'log/b')
    const moved = await disk.open('log/b', 'read')
    const text = (await moved.read(0, await moved.size())).toString()
    await moved.close()
    return `${text} ${(await disk.list('log')).join()}`
  }
  const file = await disk.open('log/a', 'write')
  const size = await file.size()
  if (step.kind === 'append') await file.write(Buffer.from(step.text), size)
  else await file.truncate(Math.floor(size * step.share))
  const text = (await file.read(0, 1_000)).toString()
  const end = (await file.read(Math.floor(text.length / 2), 2)).toString()
  await file.close()
  const again = await disk.open('log/a', 'read')
  const read = (await again.read(0, await again.size())).toString()
  await again.close()
  return `${text} ${end} ${read} ${(await disk.list('log')).join()}`
}

test('reads back every change without touching the files below (seed 7)', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'tripline-overlay-'))
  try {
    for (const [i, taken] of fc.sample(steps, { numRuns: 60, seed: 7 }).entries()) {
      const roots = [`real-${i}`, `below-${i}`].map((name) => join(folder, name))
      for (const root of roots) {
        await nodeFileSystem(root).makeFolder('log')
        for (const name of ['a', 'b']) writeFileSync(join(root, 'log', name), `what was in ${name}`)
      }
      const [real, overlay] = [nodeFileSystem(roots[0]!), overlayFileSystem(nodeFileSystem(roots[1]!))]
      for (const step of taken) expect(await take(overlay, step)).toBe(await take(real, step))
      expect(readdirSync(join(roots[1]!, 'log'))).toEqual(['a', 'b'])
      expect(readFileSync(join(roots[1]!, 'log/a'), 'utf8')).toBe('what was in a')
    }
  } finally {
    rmSync(folder, { recursive: true })
  }
})

test('an absent file cannot be read, and is created empty by a write', async () => {
  const overlay = overlayFileSystem(nodeFileSystem(join(tmpdir(), 'tripline-no-such-folder')))
  await expect(overlay.open('log/a', 'read')).rejects.toThrow('ENOENT')
  expect(await (await overlay.open('log/a', 'write')).size()).toBe(0)
  await overlay.remove('log/a')
  await expect(overlay.open('log/a', 'read')).rejects.toThrow("the file 'log/a' was removed")
})
