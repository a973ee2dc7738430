import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { cpus, loadavg } from 'node:os'
import { join } from 'node:path'
import { browserPath } from '../open-console.ts'

export type Row = readonly (string | number)[]

const file = join(import.meta.dirname, '../../../../bench/results/console.md')

/** Writes a section of `bench/results/console.md` anew, or adds it at the end; the other sections stay as they are. */
export function writeSection(title: string, body: string): void {
  const before = readFileSync(file, 'utf8').trimEnd().split(/^(?=## )/m)
  const section = `## ${title}\n\n${body.trim()}\n\n`
  const at = before.findIndex((text) => text.startsWith(`## ${title}\n`))
  const sections = at === -1 ? [...before.map((text) => `${text.trimEnd()}\n\n`), section] : before.with(at, section)
  writeFileSync(file, `${sections.join('').trimEnd()}\n`)
}

/** Where and when something was measured, and by which trial. */
export function describeMachine(trial: string): string {
  const browser = execFileSync(browserPath, ['--version'], { encoding: 'utf8' }).trim()
  const day = new Date().toISOString().slice(0, 10)
  return `by \`npm run ${trial}\` on ${day}, on ${cpus().length} processor cores with a load of ${loadavg()[0]?.toFixed(1)} at the end, in ${browser}`
}

export function printTable(heads: readonly string[], body: readonly Row[]): string {
  return [heads, heads.map(() => '---'), ...body].map((cells) => `| ${cells.join(' | ')} |`).join('\n')
}

/** The smallest of some numbers that a share of them does not exceed. */
export function getPercentile(numbers: readonly number[], share: number): number {
  const sorted = numbers.toSorted((one, other) => one - other)
  return sorted[Math.min(sorted.length - 1, Math.ceil(share * sorted.length) - 1)] ?? Number.NaN
}
