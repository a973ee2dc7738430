import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readText } from '../workspace.ts'
import { findChanges, headUnreleased, listManifests, replaceLockedVersion, replaceVersion } from './set-version.ts'

const changelog = '# Changelog\n\n## Unreleased\n\n### Added\n\n- A.\n\n## 0.1.0 (2026-01-01)\n\n- B.\n'
const released = '# Changelog\n\n## Unreleased\n\n## 0.2.0 (2026-11-23)\n\n### Added\n\n- A.\n\n## 0.1.0 (2026-01-01)\n\n- B.\n'
const date = new Date(Date.UTC(2026, 10, 23, 23))

test('a manifest gets the version, and those of the workspace that it needs', () => {
  const manifest = JSON.parse(replaceVersion(readText('packages/server/package.json'), '2.0.0-rc.1')) as { version: string; dependencies: { [name: string]: string } }
  expect([manifest.version, manifest.dependencies['@tripline/engine']]).toEqual(['2.0.0-rc.1', 'workspace:2.0.0-rc.1'])
  expect(manifest.dependencies['hono']).not.toContain('2.0.0-rc.1')
})

test.for(['1', 'v1.2.3', '1.2.3 ', '1.2.3"'])('%j is no version', (version) => {
  expect(() => replaceVersion('{}', version)).toThrow('is not a version')
})

test('what was unreleased gets a head, once', () => {
  expect(headUnreleased(changelog, '0.2.0', date)).toBe(released)
  expect(() => headUnreleased(released, '0.2.0', date)).toThrow('has 0.2.0 already')
  expect(() => headUnreleased('# Changelog\n', '0.2.0', date)).toThrow("no part '## Unreleased'")
})

test.for<[version: string, text: string, changes: string]>([
  ['0.1.0', changelog, '## 0.1.0 (2026-01-01)\n\n- B.\n'],
  ['0.2.0', released, '## 0.2.0 (2026-11-23)\n\n### Added\n\n- A.\n'],
  ['0.2.0', changelog, '## Unreleased\n\n### Added\n\n- A.\n'],
])('the changes of %s', ([version, text, changes]) => {
  expect(findChanges(text, version)).toBe(changes)
})

test('the lockfile gets the version of the packages of the workspace, and of no others', () => {
  const lockfile = readText('pnpm-lock.yaml')
  const importers = [...lockfile.slice(0, lockfile.indexOf('\npackages:\n')).matchAll(/^ {2}(\S+):$/gm)].map(([, name = '']) => name)
  expect(importers.map((name) => join(name, 'package.json')).filter((path) => !listManifests().includes(path))).toEqual([])
  const replaced = replaceLockedVersion(lockfile, '2.0.0-rc.1')
  expect(replaced.match(/specifier: workspace:.*/g)!.every((text) => text === 'specifier: workspace:2.0.0-rc.1')).toBe(true)
  expect(replaced.replaceAll('workspace:2.0.0-rc.1', 'workspace:0.0.0')).toBe(lockfile.replaceAll(/workspace:\d\S*/g, 'workspace:0.0.0'))
})
