import { spawnSync } from 'node:child_process'
import { readFileSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createFolder, runCaptured } from '../../test/run-captured.ts'
import { commands } from '../command-table.ts'

// The scripts run in the shells that they are for. A shell that this machine lacks is named by the skipped tests.

let folder: string

beforeAll(async () => {
  const scripts = await Promise.all(['bash', 'zsh', 'fish'].map(async (shell) => [shell, (await runCaptured(`completion ${shell}`)).stdout] as const))
  folder = createFolder({ ...Object.fromEntries(scripts), 'rules/a.yml': '', 'events.ndjson': '' })
})
afterAll(() => rmSync(folder, { recursive: true }))

const isThere = (program: string): boolean => spawnSync('sh', ['-c', `command -v ${program}`]).status === 0

function runShell(shell: string, script: string): string {
  const { stdout, stderr, error } = spawnSync(shell, ['-c', script], { cwd: folder, encoding: 'utf8' })
  expect([stderr, error]).toEqual(['', undefined])
  return stdout.trim()
}

/** What a shell offers at the end of a line. The last word is the one that is being typed. */
const shells: { readonly [shell: string]: (words: readonly string[]) => string[] } = {
  bash: (words) => runShell('bash', `source ./bash; COMP_WORDS=(tripline ${words.map((word) => `'${word}'`).join(' ')})
    COMP_CWORD=${words.length}; _tripline; printf '%s\\n' "\${COMPREPLY[@]}"`).split('\n'),
  fish: (words) => runShell('fish', `source ./fish; complete -C 'tripline ${words.join(' ')}'`).split('\n').map((line) => line.split('\t')[0]!),
}

describe.for(Object.keys(shells))('%s completes', (shell) => {
  test.skipIf(!isThere(shell)).for<[line: string, offered: readonly string[]]>([
    ['det', ['detect']],
    ['rules ', ['check', 'lint', 'test', 'cost', 'health', 'coverage', 'draft', 'tune', 'update', 'schema']],
    ['admin key ', ['create', 'list', 'revoke']],
    ['detect --output ', ['ndjson', 'table', 'timeline', 'csv', 'json', 'html', 'ocsf', 'sarif', 'none']],
    ['completion ', ['bash', 'zsh', 'fish']],
    ['detect --allow-m', ['--allow-malformed']],
    ['rules check --j', ['--json']],
    ['rules che', ['check']],
    ['detect --input ev', ['events.ndjson']],
    ['serve --data-d', ['--data-dir']],
  ])(`'tripline %s'`, ([line, offered]) => {
    expect(shells[shell]!(line.split(' ')).filter((word) => !/^--(?:help|version)$/.test(word)).sort()).toEqual([...offered].sort())
  })
})

test.skipIf(!isThere('bash'))('bash completes the value after an equals sign', () => {
  expect(shells['bash']!(['detect', '--output', '=', 'nd'])).toEqual(['ndjson'])
})

describe('zsh', () => {
  /** Runs the function with zsh's helpers replaced by some that print what they are given. */
  const complete = (words: readonly string[]): string => runShell('zsh', `compdef() { : }
    _arguments() { print -rl -- "words \${(j:,:)words} $CURRENT" "$@" }; _describe() { print -rl -- "\${(@P)4}" }
    source ./zsh; words=(tripline ${words.map((word) => `'${word}'`).join(' ')}); CURRENT=${words.length + 1}; _tripline`)

  test.skipIf(!isThere('zsh'))('offers the words of a group with their summaries', () => {
    expect(complete(['rules', '']).split('\n').map((line) => line.split(':')[0])).toEqual(['check', 'lint', 'test', 'cost', 'health', 'coverage', 'draft', 'tune', 'schema', 'update'])
  })

  test.skipIf(!isThere('zsh'))('describes the arguments of a command, whose words are one', () => {
    const [words, ...specs] = complete(['rules', 'check', 'a', '--']).split('\n')
    expect(words).toBe('words tripline,a,-- 3')
    expect(specs).toContain('--help[Prints this help]')
    expect(specs.at(-1)).toBe('*:argument:_files')
  })
})

test("'tripline man --dir' writes the page of each command", async () => {
  expect(await runCaptured('man --dir pages/man1', { cwd: folder })).toMatchObject({ code: 0, stderr: '' })
  const names = ['tripline', ...commands.map(({ name }) => `tripline-${name.replaceAll(' ', '-')}`)]
  expect(readdirSync(join(folder, 'pages/man1')).sort()).toEqual(names.map((name) => `${name}.1`).sort())
  expect(readFileSync(join(folder, 'pages/man1/tripline-rules-check.1'), 'utf8')).toBe((await runCaptured('man rules check')).stdout)
})

test("'tripline man --dir --json' names the directory and the files", async () => {
  const printed = JSON.parse((await runCaptured('man --dir named --json', { cwd: folder })).stdout) as { readonly files: readonly string[] }
  expect(printed).toEqual({ directory: join(folder, 'named'), files: expect.arrayContaining(['tripline.1', 'tripline-rules-check.1']) })
  expect(readdirSync(join(folder, 'named')).sort()).toEqual([...printed.files].sort())
})

test.for<[line: string, code: number, message: string]>([
  ['man rules check --dir pages', 2, "'--dir' writes the pages of all commands; leave out 'rules check'"],
  ['man --dir events.ndjson', 74, 'the pages cannot be written: '],
])(`'tripline %s' is refused`, async ([line, code, message]) => {
  expect(await runCaptured(line, { cwd: folder })).toMatchObject({ code, stderr: expect.stringContaining(message) })
})

test.skipIf(!isThere('groff')).for(['', ...commands.map(({ name }) => name)])(`the manual page of 'tripline %s' has no warning of groff`, async (name) => {
  const { stdout } = await runCaptured(`man ${name}`)
  const { stdout: page, stderr } = spawnSync('groff', ['-man', '-ww', '-Tascii', '-P-cbou'], { input: stdout, encoding: 'utf8' })
  expect(stderr).toBe('')
  expect(page).toContain(`tripline${name === '' ? '' : `-${name.replaceAll(' ', '-')}`} - `)
})
