import { createReadStream, existsSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { createGunzip } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import type { EventObject, Logsource, NormalizedEvent } from '../src/event/event.ts'
import { lookUp } from '../src/event/value.ts'
import { normalizeEvent } from '../src/taxonomy/normalize.ts'
import { printLogsources } from './print-logsources.ts'

/*
 * Tests the normalizer on recorded events: the same events in collector shapes and flat, and events of other products
 * with a declared logsource.
 */

const dataUrl = new URL('../../../../shared/data/', import.meta.url)
const isPresent = existsSync(dataUrl)

/** Where a flat twin has another value, with the reason. */
const explainedDifferences: { readonly [shapeAndName: string]: string } = {
  'evtx CN': 'a list of nested elements in another order',
  'evtx KeyID_hash': 'a list of nested elements in another order',
  'nxlog @timestamp': 'the twin has the time of Sysmon, the original that of its collector',
  'nxlog Details': 'the original holds XML entities',
  'nxlog EventType': 'the original has lost it',
  'nxlog PipeName': 'the original holds XML entities',
  'nxlog ProcessID': 'a number in the original',
  'nxlog ScriptBlockText': 'the original holds XML entities',
  'nxlog TargetObject': 'the original holds XML entities',
  'nxlog TaskContentNew': 'the original holds XML entities',
  'openxp @timestamp': 'the original has a time in another format',
  'winlogbeat8-reshaped Binary': 'the original has lost it',
  'winlogbeat8-reshaped ComplexData': 'the original has lost it',
  'winlogbeat8-reshaped Keywords': 'the original has lost it',
  'winlogbeat8-reshaped Level': 'the original has the name only, and 0 and 4 have one name',
  'winlogbeat8-reshaped Opcode': 'the original has lost it',
}

/**
 * The share of events with a recognized logsource, by their declared one. Many unknown events were reduced for tests of
 * other engines or have lower-case names.
 */
const knownShares: { readonly [declared: string]: string } = {
  ':webserver:apache': '5988 of 5988',
  'aws::cloudtrail': '2184 of 2193',
  'azure::activitylogs': '113 of 140',
  'azure::auditlogs': '18 of 26',
  'crowdstrike::': '0 of 43',
  'gcp::gcp.audit': '102 of 122',
  'gcp::google_workspace.admin': '16 of 70',
  'github::audit': '44 of 54',
  'github::webhook': '0 of 40',
  'kubernetes:application:audit': '117 of 119',
  'linux::auditd': '1638 of 1649',
  'linux::auth': '506 of 506',
  'linux::cron': '285 of 285',
  'linux::sshd': '2496 of 2496',
  'linux::sudo': '336 of 336',
  'linux::syslog': '229 of 646',
  'linux:file_delete:sysmon': '2 of 2',
  'linux:file_event:sysmon': '4 of 4',
  'linux:network_connection:sysmon': '4 of 4',
  'linux:process_creation:': '0 of 49',
  'linux:process_creation:sysmon': '17 of 17',
  'linux:process_termination:sysmon': '18 of 18',
  'm365::audit': '42 of 42',
  'm365::exchange': '0 of 7',
  'macos::': '125 of 125',
  'macos:file_delete:': '2 of 2',
  'macos:file_event:': '53 of 53',
  'macos:file_rename:': '2 of 2',
  'macos:process_creation:': '68 of 68',
  'okta::okta': '21 of 44',
  'onelogin::onelogin.events': '16 of 18',
  'slack::': '0 of 25',
  'windows:process_creation:': '0 of 938',
}

/** Where the engine is right and the declaration wrong. */
const explainedContradictions: { readonly [answer: string]: string } = {
  'azure::auditlogs is azure::signinlogs': 'the set has all logs of the directory and declares one service for them',
  'gcp::google_workspace.admin is gcp::google_workspace.login': 'the set declares one service for all applications',
}

describe.skipIf(!isPresent)(`recorded events${isPresent ? '' : ' (skipped: no ../shared/data)'}`, () => {
  test('of SigmaHQ have the same fields nested and flat', async () => {
    const flat = await readLines('regression-dev')
    const nested = await readLines('regression-original-dev')
    expect(flat.length).toBeGreaterThanOrEqual(140)
    flat.forEach((line, i) => {
      const event: EventObject = JSON.parse(line)
      const fromFlat = normalizeEvent(event, 'auto')
      const fromNested = normalizeEvent(JSON.parse(nested[i] ?? ''), 'auto')
      expect(fromFlat.fields).toBe(event)
      expect({ ...fromNested.fields }, line).toEqual(event)
      expect(fromNested.logsources).toBe(fromFlat.logsources)
      expect(fromNested.aliases).toBe(fromFlat.aliases)
    })
  })

  test('of SigmaHQ have the logsource of their rule', async () => {
    for (const line of await readLines('regression-dev')) {
      const event: EventObject & { readonly _sigma: { readonly logsource: Logsource } } = JSON.parse(line)
      const { category, product, service } = event._sigma.logsource
      const rule = JSON.parse(JSON.stringify({ category, product, service })) as Logsource
      expect(normalizeEvent(event, 'auto').logsources, line).toContainEqual(expect.objectContaining(rule))
    }
  })

  test('of every shape have a header and a logsource', async () => {
    const shapes = new Set<string>()
    for (const { shape, normalized } of await readOriginals()) {
      shapes.add(shape)
      const { fields, logsources } = normalized
      expect(fields['EventID']).toBeTypeOf('number')
      expect(fields['Channel']).toBeTypeOf('string')
      // One version of Export-WinEvents has neither.
      if (shape !== 'export-winevents') {
        expect(fields['Provider_Name']).toBeTypeOf('string')
        expect(fields['Computer']).toBeTypeOf('string')
      }
      expect(Object.keys(fields).filter((name) => name.includes(' '))).toEqual([])
      expect(logsources[0]?.product).toBe('windows')
    }
    expect(shapes).toEqual(new Set(
      ['evtx', 'export-winevents', 'nxlog', 'openxp', 'winlogbeat6', 'winlogbeat8-reshaped'],
    ))
  })

  test('of every shape have the fields of their flat twins', async () => {
    const originals = Map.groupBy(await readOriginals(), ({ normalized }) => getEventKey(normalized.fields))
    const twins = new Map<string, number>()
    const differences = new Set<string>()
    for await (const line of streamLines('events-windows-dev')) {
      const candidates = originals.get(getLineKey(line))
      if (candidates === undefined) continue
      const { _ds, ...twin } = JSON.parse(line)
      // Edited test events of one set share their record number; one of them is the twin.
      const [best] = candidates.filter((original) => original.dataset === _ds)
        .map(({ shape, normalized }) => ({ shape, names: findDifferingNames(twin, normalized) }))
        .toSorted((a, b) => a.names.length - b.names.length)
      if (best === undefined) continue
      twins.set(best.shape, (twins.get(best.shape) ?? 0) + 1)
      for (const name of best.names) differences.add(`${best.shape} ${name}`)
    }
    expect(Object.fromEntries(twins)).toMatchObject({
      'evtx': 3_900, 'nxlog': 2_500, 'openxp': 385, 'winlogbeat6': 1_230, 'winlogbeat8-reshaped': 1_025,
    })
    expect([...differences].toSorted()).toEqual(Object.keys(explainedDifferences).toSorted())
  })

  test('of other products have the right logsource', async () => {
    const answers = new Map<string, { known: number; unknown: number }>()
    const contradictions = new Set<string>()
    for (const line of await readLines('events-other-dev')) {
      const { _logsource, ...event }: EventObject & { readonly _logsource: Logsource } = JSON.parse(line)
      const { logsources } = normalizeEvent(event, 'auto')
      const declared = printLogsources([_logsource])
      const answer = answers.get(declared) ?? { known: 0, unknown: 0 }
      answers.set(declared, answer)
      if (logsources.length === 0) answer.unknown++
      else answer.known++
      if (logsources.length > 0 && !logsources.some((each) => agrees(each, _logsource))) {
        contradictions.add(`${declared} is ${printLogsources(logsources)}`)
      }
    }
    const zeek = [...answers.keys()].filter((declared) => declared.startsWith('zeek:'))
    expect(zeek.length).toBeGreaterThan(10)
    expect(zeek.every((declared) => answers.get(declared)?.unknown === 0)).toBe(true)
    const shares = [...answers].filter(([declared]) => !zeek.includes(declared))
      .map(([declared, { known, unknown }]) => [declared, `${known} of ${known + unknown}`])
    expect(Object.fromEntries(shares)).toEqual(knownShares)
    expect([...contradictions].toSorted()).toEqual(Object.keys(explainedContradictions).toSorted())
  })
})

type Original = { readonly shape: string; readonly dataset: string; readonly normalized: NormalizedEvent }

async function readOriginals(): Promise<Original[]> {
  return (await readLines('events-windows-original')).map((line) => {
    const { _shape, _ds, event } = JSON.parse(line)
    return { shape: _shape, dataset: _ds, normalized: normalizeEvent(event, 'auto') }
  })
}

function getEventKey({ Channel, EventID, Computer, EventRecordID }: EventObject): string {
  return `${String(Channel).toLowerCase()} ${String(EventID)} ${String(Computer)} ${String(EventRecordID)}`
}

/** Reads the key of the event on a line without parsing all of it. */
function getLineKey(line: string): string {
  const header = /"EventID":(\d+),"Channel":"([^"]*)".*?"Computer":"([^"]*)","EventRecordID":(\d+)/
  const [, EventID, Channel, Computer, EventRecordID] = header.exec(line.slice(0, 400)) ?? []
  return getEventKey({ Channel, EventID, Computer, EventRecordID })
}

/** Lists the fields with another value than in the twin. */
function findDifferingNames(twin: EventObject, { fields, aliases }: NormalizedEvent): string[] {
  return Object.keys(twin).filter((name) => {
    const names = [name, ...(aliases.get(name) ?? [])]
    const value = names.map((each) => lookUp(fields, each)).find((found) => found !== undefined)
    return JSON.stringify(value) !== JSON.stringify(twin[name])
  })
}

/** Whether one of two logsources contains the other. */
function agrees(a: Logsource, b: Logsource): boolean {
  const keys = ['category', 'product', 'service'] as const
  return keys.every((key) => a[key] === undefined || b[key] === undefined || a[key] === b[key])
}

async function readLines(name: string): Promise<string[]> {
  const lines: string[] = []
  for await (const line of streamLines(name)) lines.push(line)
  return lines
}

function streamLines(name: string): AsyncIterable<string> {
  return createInterface({ input: createReadStream(new URL(`${name}.ndjson.gz`, dataUrl)).pipe(createGunzip()) })
}
