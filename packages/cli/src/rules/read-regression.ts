import { existsSync } from 'node:fs'
import { basename, dirname, resolve } from 'node:path'
import { findEventExcess, parseEvent } from '@tripline/engine'
import type { EventObject } from '@tripline/engine'
import { limits as ruleToolsLimits, parseRegressionInfo } from '@tripline/rule-tools'
import type { RegressionInfo, RegressionTest } from '@tripline/rule-tools'
import { findFiles } from '../input/find-files.ts'
import { readTextFile } from '../input/read-text-file.ts'
import { limits } from '../limits.ts'

/** The regression tests of one rule, each with its events, or with why they cannot be had. */
export type RegressionData = {
  readonly info: RegressionInfo
  readonly text: string
  readonly tests: readonly RegressionTestEvents[]
}

type RegressionTestEvents = { readonly test: RegressionTest } & EventsOrProblem

type EventsOrProblem = { readonly events: readonly EventObject[] } | { readonly problem: string }

/**
 * Reads SigmaHQ's regression data: every `info.yml` below a directory, or one as a file, with the events that lie
 * beside it. Of events in the binary log of Windows the JSON beside it is read, which has the same name.
 *
 * @throws ExitError (66) for a path that cannot be read.
 */
export function readRegression(given: string, cwd: string): RegressionData[] {
  return findFiles(given, { cwd, thing: 'rules path', isWanted: (name) => /^info\.ya?ml$/i.test(name) }).map((path) => {
    const text = readRegressionText(path, { cwd, bytesMax: limits.ruleFileBytesMax })
    const info = parseRegressionInfo(text, path)
    return { info, text, tests: info.tests.map((test) => ({ test, ...readTestEvents(test, path, cwd) })) }
  })
}

/** Events lie beside the info: its paths begin at the root of a tree of which this may be a part. */
function readTestEvents({ type, file }: RegressionTest, infoPath: string, cwd: string): EventsOrProblem {
  const folder = dirname(infoPath)
  const name = basename(file.replaceAll('\\', '/'))
  const asJson = type === 'evtx' ? name.replace(/\.evtx$/i, '.json') : name
  const path = `${folder}/${asJson}`
  if (!existsSync(resolve(cwd, path))) {
    if (type !== 'evtx') return { problem: `there is no file '${path}'` }
    return { problem: `'${folder}/${name}' is a binary log, which Tripline does not read, and there is no '${asJson}' beside it` }
  }
  const text = readRegressionText(path, { cwd, bytesMax: limits.regressionBytesMax + 1 })
  if (Buffer.byteLength(text) > limits.regressionBytesMax) {
    return { problem: `'${path}' is larger than ${limits.regressionBytesMax.toLocaleString('en')} bytes` }
  }
  const read = parseEvents(text)
  return 'problem' in read ? { problem: `'${path}' ${read.problem}` } : read
}

/** Events one after the other: one on each line, over several lines, or in a list. */
function parseEvents(text: string): EventsOrProblem {
  const events: EventObject[] = []
  for (const piece of splitObjects(text)) {
    const parsed = parseEvent(piece)
    if ('reason' in parsed) return { problem: `holds what is no event: ${parsed.reason}` }
    events.push(parsed.event)
  }
  return checkEventLimits(events)
}

/** The texts of objects that stand one after the other; a word between them is the last. */
function* splitObjects(text: string): Generator<string> {
  let depth = 0
  let start = 0
  let isInString = false
  for (let i = 0; i < text.length; i++) {
    const character = text[i]!
    if (isInString) {
      if (character === '\\') i++
      else if (character === '"') isInString = false
    } else if (character === '{') {
      if (depth++ === 0) start = i
    } else if (depth === 0) {
      if (!/[\s,[\]]/.test(character)) return yield /^[^\s,[\]{}]+/.exec(text.slice(i, i + 100))?.[0] ?? character
    } else if (character === '"') isInString = true
    else if (character === '}' && --depth === 0) yield text.slice(start, i + 1)
  }
  if (depth > 0) yield text.slice(start)
}

function checkEventLimits(events: readonly EventObject[]): EventsOrProblem {
  if (events.length === 0) return { problem: 'holds no event' }
  if (events.length > ruleToolsLimits.testEventsMax) {
    return { problem: `holds ${events.length} events; at most ${ruleToolsLimits.testEventsMax} are read` }
  }
  return events.every((event) => findEventExcess(event) === undefined) ? { events } : { problem: 'holds an event that is too large' }
}

/** Reads a text, without the byte order mark that some files begin with. */
function readRegressionText(path: string, options: { readonly cwd: string; readonly bytesMax: number }): string {
  return readTextFile(path, { ...options, thing: 'regression data' }).replace(/^\ufeff/, '')
}
