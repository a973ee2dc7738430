import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { collectorFlags } from './tune-collector.ts'

test.each(collectorFlags)('V8 knows %s', (flag) => {
  const [name = ''] = flag.replace('--no-', '--').split('=')
  expect(listFlags()).toContain(name)
})

function listFlags(): string[] {
  return execFileSync(process.execPath, ['--v8-options'], { encoding: 'utf8' }).match(/(?<=^ {2})--[a-z0-9-]+/gm) ?? []
}
