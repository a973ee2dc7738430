import { expect, test } from 'vitest'
import { compileRules } from './compile-rules.ts'
import { Engine } from './engine.ts'
import { detectionMatches } from '../test/detection-matches.ts'

const text = `
title: Whoami
logsource: { product: windows, category: process_creation }
detection:
  selection: { Image|endswith: '\\whoami.exe' }
  condition: selection`

const event = JSON.stringify({ Channel: 'Microsoft-Windows-Sysmon/Operational', EventID: 1, Image: 'C:\\WHOAMI.EXE' })

/** What a fresh engine makes of a text: the lines that match, those that are malformed, and the counts. */
function pushText(lines: string): unknown {
  const engine = new Engine(compileRules([{ text }]).ruleSet)
  const { matches: found, malformed, lineCount, eventCount } = engine.pushBytes(Uint8Array.from(Buffer.from(lines)))
  const matches = detectionMatches(found)
  expect(engine.counts.events).toBe(eventCount)
  for (const match of matches) expect([JSON.stringify(match.event), match.text]).toEqual([event, event])
  return [matches.map(({ row }) => row), malformed.map(({ line }) => line), lineCount, eventCount]
}

test.for<[what: string, lines: string, outcome: unknown]>([
  ['nothing', '', [[], [], 0, 0]],
  ['a line without its end', event, [[0], [], 1, 1]],
  ['lines that end', `${event}\n{}\n${event}\n`, [[0, 2], [], 3, 3]],
  ['blank lines', `\n\n  \n${event}\n`, [[3], [], 4, 1]],
  ['a byte order mark and carriage returns', `\ufeff${event}\r\n{}\r\n`, [[0], [], 2, 2]],
  ['lines that hold no event', `[]\n${event}\n{"a":\n"x"\nnull`, [[1], [0, 2, 3, 4], 5, 1]],
])('pushes %s', ([, lines, outcome]) => {
  expect(pushText(lines)).toEqual(outcome)
})
