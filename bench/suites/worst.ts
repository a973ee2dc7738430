import { Engine, RuleSet } from '@tripline/engine'
import type { CompiledRule, EventObject } from '@tripline/engine'
import { compileRegex } from '../../packages/engine/src/predicate/matchers/regex.ts'
import type { Predicate, RegexTest } from '@tripline/engine/predicate'
import { parseEvents, shortenSample } from '../open-corpus.ts'
import type { Bench, Row, Suite } from '../suite.ts'

const longLength = 65_536
const fieldCount = 500
/** Ordinary events before each hostile one. */
const controlEvents = 250

/** Makes hostile events by a number, so that no two are the same and no memory of values helps. */
const hostileEvents: { readonly [name: string]: (number: number) => EventObject } = {
  '64 KB of one letter in a command line': (number) => createCommandLine('a', number),
  '64 KB of backslashes in a command line': (number) => createCommandLine('\\', number),
  '64 KB of commands in a command line': (number) => createCommandLine('powershell -e cmd /c certutil -url ', number),
  '64 KB of Base64 in a command line': (number) => createCommandLine('SQBFAFgAIAAoAE4AZQB3AC0A', number),
  '500 fields': (number) => createFields(`\\powershell.exe -enc ${number} `),
  '500 fields of 1 KB': (number) => createFields(`\\powershell.exe -enc ${number} `.repeat(44)),
}

/** Events and values that are meant to be slow, and what they do to the ordinary ones beside them. */
export const worstSuite: Suite = {
  name: 'worst',
  title: 'The slowest event, and ordinary events beside it',
  async run(bench) {
    const { rules } = bench.corpus.compile(bench.corpus.sources)
    const control = parseEvents(shortenSample(await bench.corpus.slices[0].read(), 20_000))
    const names = [undefined, ...Object.keys(hostileEvents)]
    return [...names.map((name) => measureEvent(name, { rules, control }, bench)), measureRegex(rules, bench)]
  },
}

const processCreationEvent = { Channel: 'Microsoft-Windows-Sysmon/Operational', EventID: 1, Image: 'C:\\Windows\\System32\\cmd.exe' }
const repeatText = (piece: string): string => piece.repeat(Math.ceil(longLength / piece.length)).slice(0, longLength)

function createCommandLine(piece: string, number: number): EventObject {
  return { ...processCreationEvent, CommandLine: `${number}${repeatText(piece)}` }
}

function createFields(value: string): EventObject {
  const filler = Array.from({ length: fieldCount }, (_, i) => [`Field${i}`, `${value}${i}`] as const)
  return { ...processCreationEvent, CommandLine: value, ParentCommandLine: value, ...Object.fromEntries(filler) }
}

type Stream = { readonly rules: readonly CompiledRule[]; readonly control: readonly EventObject[] }

/** Pushes ordinary events and between them, where it has a name, a hostile one; the first half warms. */
function measureEvent(name: string | undefined, { rules, control }: Stream, { clock }: Bench): Row {
  const engine = new Engine(new RuleSet(rules))
  const hostile = name === undefined ? undefined : hostileEvents[name]
  const slices = Math.floor(control.length / controlEvents)
  const half = Math.floor(slices / 2)
  let [controlMatches, hostileMatches, controlMs, hostileMs, slowestMs] = [0, 0, 0, 0, 0]
  for (let slice = 0; slice < slices; slice++) {
    const events = control.slice(slice * controlEvents, (slice + 1) * controlEvents)
    const startedAt = clock()
    controlMatches += engine.push(events).length
    const controlEndAt = clock()
    // One event is shorter than a step of the processor clock; the sum is not.
    const wallAt = performance.now()
    if (hostile !== undefined) hostileMatches += engine.push([hostile(slice)]).length
    if (slice < half) continue
    slowestMs = Math.max(slowestMs, performance.now() - wallAt)
    hostileMs += clock() - controlEndAt
    controlMs += controlEndAt - startedAt
  }
  const timedSlices = slices - half
  return {
    case: name ?? 'ordinary events alone',
    counts: { 'ordinary matches': controlMatches, 'hostile matches': hostileMatches },
    figures: {
      'ms per hostile event': hostile === undefined ? null : roundToHundredths(hostileMs / timedSlices),
      'slowest, wall ms': hostile === undefined ? null : roundToHundredths(slowestMs),
      'ordinary events per second': Math.round(((timedSlices * controlEvents) / controlMs) * 1_000),
    },
  }
}

function roundToHundredths(value: number): number {
  return Math.round(value * 100) / 100
}

const regexSubjects = ['a', '\\', 'aA1+/', ' -x', '1.', '%00', '<script ', 'http://a.b/'].map(repeatText)

/** Every regular expression of the rules on long subjects. */
function measureRegex(rules: readonly CompiledRule[], { clock }: Bench): Row {
  const tests = new Map(rules.flatMap(({ predicate }) => [...listRegexes(predicate)]).map((test) => [JSON.stringify(test), test]))
  let [matchCount, sumMs] = [0, 0]
  let slowest = { ms: 0, source: '' }
  for (const test of tests.values()) {
    const search = compileRegex(test)
    search('warm')
    for (const subject of regexSubjects) {
      const startedAt = clock()
      const wallAt = performance.now()
      if (search(subject)) matchCount++
      const ms = performance.now() - wallAt
      sumMs += clock() - startedAt
      // A neighbour is slow once, an expression every time.
      if (ms > slowest.ms) slowest = { ms: Math.min(ms, measureWallMs(search, subject), measureWallMs(search,
        subject)), source: test.source }
    }
  }
  return {
    case: `each regular expression on ${regexSubjects.length} subjects of 64 KB`,
    counts: { expressions: tests.size, matches: matchCount },
    figures: {
      'ms per search': roundToHundredths(sumMs / (tests.size * regexSubjects.length)),
      'slowest, wall ms': roundToHundredths(slowest.ms),
      'slowest expression': `\`${slowest.source.slice(0, 60)}\``,
    },
  }
}

function measureWallMs(search: (text: string) => boolean, subject: string): number {
  const startedAt = performance.now()
  search(subject)
  return performance.now() - startedAt
}

function* listRegexes(predicate: Predicate): Generator<RegexTest> {
  switch (predicate.kind) {
    case 'and':
    case 'or':
      for (const part of predicate.of) yield* listRegexes(part)
      return
    case 'not':
    case 'group':
    case 'elements':
      yield* listRegexes(predicate.of)
      return
    case 'test':
      if (predicate.value.kind === 'regex') yield predicate.value
      return
    case 'constant':
  }
}
