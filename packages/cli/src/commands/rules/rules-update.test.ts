import { zipSync } from 'fflate'
import { execFileSync } from 'node:child_process'
import { appendFileSync, existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { Header } from 'tar/header'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createFolder, runCaptured } from '../../../test/run-captured.ts'

type Files = { readonly [path: string]: string }

const rule = (name: string, value: string, level = 'low'): string => `title: ${name}
id: 0198f1c0-7a10-4c3e-9b1e-2f6a3a1f04${name.charCodeAt(0)}
level: ${level}
logsource: { product: app }
detection: { selection: { action: ${value} }, condition: selection }
`
const first: Files = { 'rules/a.yml': rule('A', 'fail'), 'rules/b.yml': rule('B', 'x'), 'rules/c.yml': rule('C', 'y'), LICENSE: 'terms', 'README.md': 'no rule' }
const second: Files = {
  'rules/a.yml': rule('A', '[fail, ok]', 'high'), 'rules/web/c.yml': rule('C', 'y'), 'rules/d.yml': rule('D', 'z'),
  'rules/e.yml': rule('E', 'z').replace('condition: selection', 'condition: nothing'), 'other/f.yml': rule('F', 'ok'), LICENSE: 'terms', 'README.md': 'no rule',
}

const events = ['fail', 'ok', 'ok'].map((action, i) => JSON.stringify({
  '@timestamp': `2026-11-20T00:00:0${i}.000Z`, _logsource: { product: 'app' }, action, host: 'web-1',
}))
const folder = createFolder({ 'events.ndjson': events.join('\n'), 'second.zip': toZip('sigma-2/', second), 'first.tar.gz': gzipSync(toTar('sigma-1/', first)) })
afterAll(() => rmSync(folder, { recursive: true }))

const tripline = (line: string) => runCaptured(line, { cwd: folder })
const update = async (line: string) => JSON.parse((await tripline(`rules update ${line} --json`)).stdout)

function toZip(prefix: string, files: Files): Buffer {
  const entries = Object.fromEntries(Object.entries(files).map(([path, text]) => [prefix + path, Buffer.from(text)]))
  return Buffer.from(zipSync(entries))
}

function toTar(prefix: string, files: Files, type: 'File' | 'SymbolicLink' = 'File'): Buffer {
  const blocks = Object.entries(files).flatMap(([path, text]) => {
    const body = Buffer.from(type === 'File' ? text : '')
    const header = new Header({ path: prefix + path, mode: 0o644, size: body.length, type, ...(type === 'SymbolicLink' && { linkpath: text }) })
    header.encode()
    return [header.block!, body, Buffer.alloc((512 - (body.length % 512)) % 512)]
  })
  return Buffer.concat([...blocks, Buffer.alloc(1_024)])
}

function writeFiles(root: string, files: Files): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
  }
}

beforeAll(async () => {
  await tripline('ingest --data-dir stored --input events.ndjson')
  const clone = join(folder, 'clone')
  const git = (...args: readonly string[]) => execFileSync('git', ['-C', clone, '-c', 'user.name=a', '-c', 'user.email=a@example.org', ...args])
  writeFiles(clone, first)
  git('init', '-q')
  git('add', '-A')
  git('commit', '-qm', 'one')
  git('tag', 'r1')
  rmSync(join(clone, 'rules'), { recursive: true })
  writeFiles(clone, second)
  git('add', '-A')
  git('commit', '-qm', 'two')
  git('tag', 'r2')
  execFileSync('git', ['clone', '-q', '--mirror', clone, join(folder, 'mirror.git')])
})

describe('tripline rules update', () => {
  test('shows a release first, writes nothing, and then makes it live', async () => {
    const shown = await tripline('rules update sigma --source mirror.git --release r1')
    expect(shown).toMatchObject({ code: 0, stderr: '' })
    expect(shown.stdout).toContain('3 rules added, 0 removed, 0 changed, 0 moved; 0 run now, 3 with the update\n  + A (low)  rules/a.yml\n')
    expect(existsSync(join(folder, 'sigma'))).toBe(false)
    const hash = /not live yet; the same command with --apply --sha256 ([0-9a-f]{64})/.exec(shown.stdout)?.[1]
    const { stdout } = await tripline(`rules update sigma --source mirror.git --release r1 --apply --sha256 ${hash}`)
    expect(stdout).toContain("live: 'sigma' holds this release\n")
    expect((await tripline('detect sigma --input events.ndjson --output csv')).stdout.trim().split('\n')).toHaveLength(2)
    expect(readFileSync(join(folder, 'sigma/live/LICENSE'), 'utf8')).toBe('terms')
    expect(existsSync(join(folder, 'sigma/live/README.md'))).toBe(false)
  })

  test('gives the same release of a folder, an archive and a mirror', async () => {
    writeFiles(join(folder, 'plain'), first)
    const [git, tar, plain] = [
      await update('new --source mirror.git --release r1'), await update('new --source first.tar.gz'), await update('new --source plain --release label'),
    ]
    expect(new Set([git, tar, plain].map(({ release }) => release.sha256)).size).toBe(1)
    expect([git, tar, plain].map(({ release }) => [release.kind, release.release, typeof release.commit, typeof release.archive_sha256])).toEqual([
      ['git', 'r1', 'string', 'object'], ['archive', null, 'object', 'string'], ['folder', 'label', 'object', 'object'],
    ])
  })

  test('says what changes, rule by rule, and what it would do to stored events', async () => {
    await tripline('rules update compared --source mirror.git --release r1 --apply')
    const body = await update('compared --source second.zip --path rules --hunt --data-dir stored')
    const paths = (rules: readonly { readonly path: string }[]) => rules.map(({ path }) => path)
    expect([paths(body.added), paths(body.removed), paths(body.moved)]).toEqual([['rules/d.yml', 'rules/e.yml'], ['rules/b.yml'], ['rules/web/c.yml']])
    expect(body.changed).toMatchObject([{ path: 'rules/a.yml', title: 'A', level: 'high', attributes: ['level', 'detection'] }])
    expect(body.verdicts).toMatchObject({ before: { compiled: 3 }, after: { compiled: 3, invalid: 1 } })
    expect(body.comparison).toMatchObject({ before: { matches: 1 }, after: { matches: 3 }, gone: { count: 0 }, added: { count: 2 } })
    expect(body).toMatchObject({ applied: false, refused: null, live: { release: 'r1', changed_by_hand: [] } })
  })

  test('rules with one id are each compared with their own earlier text', async () => {
    const twin = (value: string, level?: string): string => rule('A', value, level)
    writeFiles(join(folder, 'twins'), { 'a.yml': twin('fail'), 'b.yml': twin('ok'), 'c.yml': twin('y') })
    writeFiles(join(folder, 'edited'), {
      'a.yml': twin('fail', 'high'), 'b.yml': twin('[ok, x]'), 'new/c.yml': twin('y'), 'd.yml': twin('q').replace('condition: selection', 'condition: nothing'),
    })
    expect(await update('twin --source twins --apply')).toMatchObject({ verdicts: { after: { compiled: 3 } } })
    const body = await update('twin --source edited')
    expect(body).toMatchObject({
      changed: [{ path: 'a.yml', attributes: ['level'] }, { path: 'b.yml', attributes: ['detection'] }], moved: [{ path: 'new/c.yml', from: 'c.yml' }],
      added: [{ path: 'd.yml' }], removed: [], broken: [], verdicts: { after: { compiled: 3, invalid: 1 } },
    })
    writeFiles(join(folder, 'less'), { 'a.yml': twin('fail'), 'b.yml': twin('ok').replace('condition: selection', 'condition: nothing') })
    expect(await update('twin --source less')).toMatchObject({ removed: [{ path: 'c.yml' }], broken: [{ path: 'b.yml' }], changed: [{ path: 'b.yml' }], added: [] })
  })

  test('refuses a release that would match too much, and keeps the one that is live', async () => {
    await tripline('rules update gated --source mirror.git --release r1 --apply')
    const line = 'rules update gated --source mirror.git --release r2 --hunt --data-dir stored --apply --new-matches-max'
    const refused = await tripline(`${line} 3`)
    expect(refused).toMatchObject({ code: 1 })
    expect(refused.stdout).toMatch(/not live: 4 matches are new, and --new-matches-max is 3\n$/)
    expect(existsSync(join(folder, 'gated/live/rules/b.yml'))).toBe(true)
    expect(await tripline(`${line} 4`)).toMatchObject({ code: 0 })
    expect(existsSync(join(folder, 'gated/live/rules/b.yml'))).toBe(false)
    expect(existsSync(join(folder, 'gated/live/other/f.yml'))).toBe(true)
  })

  test('goes back to the release before, and names rules that stop to run', async () => {
    await tripline('rules update back --source mirror.git --release r1 --apply')
    const before = readdirSync(join(folder, 'back/.releases'))
    await tripline('rules update back --source mirror.git --release r2 --apply')
    expect(readdirSync(join(folder, 'back/.releases'))).toHaveLength(2)
    const { stdout } = await tripline(`rules update back --source back/.releases/${before[0]} --apply`)
    expect(stdout).toContain("live: 'back' holds this release")
    expect(readFileSync(join(folder, 'back/live/rules/b.yml'), 'utf8')).toBe(first['rules/b.yml'])
    writeFiles(join(folder, 'broken'), { ...first, 'rules/a.yml': first['rules/a.yml']!.replace('condition: selection', 'condition: nothing') })
    expect((await update('back --source broken')).broken).toMatchObject([{ path: 'rules/a.yml', reason: expect.stringContaining("'nothing'") }])
  })

  test('names files that were changed by hand, and keeps them beside the release that replaces them', async () => {
    await tripline('rules update hand --source mirror.git --release r1 --apply')
    appendFileSync(join(folder, 'hand/live/rules/a.yml'), '# mine\n')
    const line = 'rules update hand --source mirror.git --release r1 --apply'
    const { stdout } = await tripline(line)
    expect(stdout).toContain('1 files of the live release were changed by hand; they stay in its folder only:\n  ! rules/a.yml\n')
    expect(readFileSync(join(folder, 'hand/live/rules/a.yml'), 'utf8')).toBe(first['rules/a.yml'])
    const kept = readdirSync(join(folder, 'hand/.releases')).find((name) => name.endsWith('-changed'))!
    expect(readFileSync(join(folder, 'hand/.releases', kept, 'rules/a.yml'), 'utf8')).toContain('# mine')
    expect((await tripline(line)).stdout).toMatch(/'hand' holds this release already\n$/)
  })

  test.for<[what: string, line: string, code: number, message: string]>([
    ['a repository without a release', 'sigma --source mirror.git', 2, "'mirror.git' is a git repository; state a tag or commit with '--release'"],
    ['a release that is an option', 'sigma --source mirror.git --release=-x', 2, "option '--release' is '-x'"],
    ['a release that there is not', 'sigma --source mirror.git --release r9', 66, "git repository 'mirror.git' cannot be read: fatal: Needed a single revision"],
    ['another release than is pinned', `sigma --source second.zip --sha256 ${'0'.repeat(64)}`, 65, "'second.zip' is another release than --sha256 states"],
    ['a hash that is none', 'sigma --source second.zip --sha256 abc', 2, "option '--sha256' is 'abc'; it takes 64 hexadecimal digits"],
    ['a source that is not there', 'sigma --source nowhere.zip', 66, "rule collection 'nowhere.zip' cannot be read: there is no such file or directory"],
    ['a source without rules', 'sigma --source second.zip --path none', 65, "no rules (*.yml, *.yaml) in 'second.zip' below 'none'"],
    ['a file that is no archive', 'sigma --source events.ndjson', 65, "'events.ndjson' is no archive that can be read"],
    ['a folder that holds something else', 'clone --source second.zip', 2, "folder 'clone' holds files that 'rules update' did not write"],
    ['a bound without a comparison', 'sigma --source second.zip --new-matches-max 1', 2, "option '--new-matches-max' needs '--hunt'"],
  ])('refuses %s', async ([, line, code, message]) => {
    const captured = await tripline(`rules update ${line}`)
    expect(captured.code).toBe(code)
    expect(captured.stderr).toContain(message)
  })

  test.for<[kind: string, bytes: Buffer, message: string]>([
    ['a zip', toZip('../', { 'x.yml': rule('A', 'x') }), "holds the path '../x.yml', which leads outside of it"],
    ['a tar', toTar('', { 'a/x.yml': rule('A', 'x'), '../../x.yml': rule('A', 'x') }), 'which leads outside of it'],
    ['a tar with links', toTar('', { 'a/x.yml': '/etc/passwd' }, 'SymbolicLink'), 'no rules (*.yml, *.yaml)'],
    ['a cut zip', toZip('', second).subarray(0, 200), 'is no archive that can be read'],
    ['a cut tar', toTar('', second).subarray(0, 700), 'is no archive that can be read'],
  ])('writes nothing of %s with paths or bytes that are wrong', async ([, bytes, message]) => {
    writeFileSync(join(folder, 'wrong.archive'), bytes)
    const { code, stderr } = await tripline('rules update wrong --source wrong.archive --apply')
    expect([code, stderr]).toEqual([65, expect.stringContaining(message)])
    expect(existsSync(join(folder, 'wrong'))).toBe(false)
  })
})
