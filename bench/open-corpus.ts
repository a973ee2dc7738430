import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gunzipSync } from 'node:zlib'
import { compileRules } from '@tripline/engine'
import type { EventObject, RuleSet, RuleSource } from '@tripline/engine'
import { createSample, readSample } from 'tripline/measuring'
import type { EventSample } from 'tripline/measuring'
import { readTar } from '../packages/engine/test/read-tar.ts'

/** A part of the events that is measured for itself. */
export type Slice = { readonly name: string; readonly read: () => Promise<EventSample> }

/** Rules and events to measure with. */
export type Corpus = {
  readonly name: 'shared' | 'fixtures'
  /** All rules that are in use. */
  readonly sources: readonly RuleSource[]
  /** The main folder of SigmaHQ, 3,141 rules, from which other numbers of rules are made; the same as `sources` without it. */
  readonly mainSources: readonly RuleSource[]
  /** The first is of all Windows events. */
  readonly slices: readonly [Slice, ...Slice[]]
  readonly compile: (sources: readonly RuleSource[]) => RuleSet
}

const fixtures = fileURLToPath(new URL('../fixtures/', import.meta.url))
/** Lines that the fixtures are repeated to: they are few. */
const fixtureLinesMin = 40_000
const activeFolder = /^(?:rules|rules-emerging-threats|rules-threat-hunting|rules-compliance)\//

/** Opens the folder of shared data, or the project's fixtures where there is no such folder. */
export function openCorpus(folder: string): Corpus {
  return existsSync(join(folder, 'sigma-rules.tar.gz')) ? openSharedCorpus(folder) : openFixtureCorpus()
}

function openSharedCorpus(folder: string): Corpus {
  const sources = readTar(join(folder, 'sigma-rules.tar.gz'))
    .map(({ path, text }) => ({ path: path.replace('sigma/', ''), text }))
    .filter(({ path }) => path.endsWith('.yml') && activeFolder.test(path))
    .sort((a, b) => (a.path < b.path ? -1 : 1))
  const unpacked = (name: string): Buffer => gunzipSync(readFileSync(join(folder, name)))
  return {
    name: 'shared',
    sources,
    mainSources: sources.filter(({ path }) => path.startsWith('rules/')),
    slices: [
      { name: 'all Windows events', read: async () => await readSample(splitBytes(unpacked('events-windows-dev.ndjson.gz'))) },
      {
        name: 'process creation only',
        read: async () => createSample(splitLines(unpacked('events-windows-dev.ndjson.gz')).filter(isProcessCreation)),
      },
      {
        name: 'Windows events as collected',
        read: async () => createSample(splitLines(unpacked('events-windows-original.ndjson.gz')).map((line) => {
          return JSON.stringify((JSON.parse(line) as { readonly event: unknown }).event)
        })),
      },
      { name: 'other products', read: async () => createSample(splitLines(unpacked('events-other-dev.ndjson.gz'))) },
    ],
    compile: (texts) => compileRules(texts).ruleSet,
  }
}

function openFixtureCorpus(): Corpus {
  const names = readdirSync(join(fixtures, 'rules')).filter((name) => name.endsWith('.yml')).sort()
  const sources = names.map((path) => ({ path, text: readFileSync(join(fixtures, 'rules', path), 'utf8') }))
  const placeholders: Record<string, string[]> = JSON.parse(readFileSync(join(fixtures, 'placeholders.json'), 'utf8'))
  const linesWhere = (isWanted: (name: string) => boolean): string[] => readdirSync(join(fixtures, 'events')).sort()
    .filter((name) => name.endsWith('.ndjson') && isWanted(name))
    .flatMap((name) => splitLines(readFileSync(join(fixtures, 'events', name))))
  const repeated = (lines: readonly string[]): EventSample => {
    return createSample(Array.from({ length: Math.max(lines.length, fixtureLinesMin) }, (_, i) => lines[i % lines.length]!))
  }
  const isCollected = (name: string): boolean => /evtx|winlogbeat/.test(name)
  const windows = linesWhere((name) => name.startsWith('windows') && !isCollected(name))
  return {
    name: 'fixtures',
    sources,
    mainSources: sources,
    slices: [
      { name: 'all Windows events', read: async () => repeated(windows) },
      { name: 'process creation only', read: async () => repeated(windows.filter(isProcessCreation)) },
      { name: 'Windows events as collected', read: async () => repeated(linesWhere(isCollected)) },
      { name: 'other products', read: async () => repeated(linesWhere((name) => !name.startsWith('windows'))) },
    ],
    compile: (texts) => compileRules(texts, { placeholders }).ruleSet,
  }
}

/** The first events of a sample, from both halves, so that what takes long for each of them ends. */
export function shortenSample(sample: EventSample, countMax: number): EventSample {
  const texts = [...sample.seen, ...sample.timed].flatMap((block) => block.texts)
  const step = Math.ceil(texts.length / countMax)
  return createSample(texts.filter((_, i) => i % step === 0))
}

export function parseEvents(sample: EventSample): EventObject[] {
  return parseBatches(sample).flat()
}

/** The same by blocks of the sample. */
export function parseBatches({ seen, timed }: EventSample): EventObject[][] {
  return [...seen, ...timed].map(({ texts }) => texts.map((text) => JSON.parse(text)))
}

/** Sysmon's event 1 and the security log's 4688. */
function isProcessCreation(line: string): boolean {
  const { EventID, Channel } = JSON.parse(line) as { readonly [field: string]: unknown }
  if (EventID === 4688) return true
  return EventID === 1 && typeof Channel === 'string' && Channel.toLowerCase().includes('sysmon')
}

/** Lines of a buffer that may be longer than the longest text. */
function splitLines(bytes: Buffer): string[] {
  const lines: string[] = []
  for (let start = 0; start < bytes.length;) {
    const found = bytes.indexOf(10, start)
    const end = found === -1 ? bytes.length : found
    if (end > start) lines.push(bytes.toString('utf8', start, end))
    start = end + 1
  }
  return lines
}

function* splitBytes(bytes: Buffer): Generator<Buffer> {
  for (let start = 0; start < bytes.length; start += 1_048_576) yield bytes.subarray(start, start + 1_048_576)
}
