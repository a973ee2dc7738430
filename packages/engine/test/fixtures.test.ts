import { describe, expect, test } from 'vitest'
import { Engine, compileRules, levels } from '../src/index.ts'
import { fixtureNames, readFixture, readFixtureEvents, readFixtureJson } from './read-fixtures.ts'
import { detectionMatches } from './detection-matches.ts'

const ruleFiles = fixtureNames('rules', '')
const eventFiles = fixtureNames('events', '.ndjson')
const placeholders = readFixtureJson<{ [name: string]: string[] }>('placeholders.json', {})
const { ruleSet, reports } = compileRules(
  ruleFiles.map((path) => ({ path, text: readFixture(`rules/${path}`) })), { placeholders })
const engine = new Engine(ruleSet)
const matches = eventFiles.flatMap((file) => engine.push(readFixtureEvents(`events/${file}`)))

describe('fixture rules', () => {
  test('are many, one file for each feature', () => {
    expect(ruleFiles.length).toBeGreaterThanOrEqual(40)
    expect(ruleFiles.filter((name) => !/^[a-z0-9_]{2,66}\.yml$/.test(name))).toEqual([])
  })

  test.for(reports.map((report) => [report.path, report.title, report] as const))('%s: %s compiles', ([, , report]) => {
    expect(report).toMatchObject({ verdict: 'compiled' })
  })

  test.for(ruleSet.rules.map((rule) => [rule.path, rule.title, rule] as const))('%s: %s is complete', ([, , { level, rule }]) => {
    const { id, status, description, author, date, tags, falsepositives } = rule
    expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
    expect({ status, description, author, date, level }).toEqual({
      status: expect.any(String), description: expect.any(String), author: 'Tripline', date: expect.any(String), level: expect.any(String),
    })
    expect(tags).toEqual(expect.arrayContaining([expect.stringMatching(/^attack\.[a-z-]+$/), expect.stringMatching(/^attack\.t\d{4}/)]))
    expect(falsepositives.length).toBeGreaterThan(0)
  })

  test.for(ruleSet.rules.map((rule) => [rule.path, rule.title, rule.id] as const))('%s: %s matches a sample event', ([, , id]) => {
    expect(matches.filter((match) => match.rule.id === id).length).toBeGreaterThan(0)
  })

  test('all compile without placeholders, except the one that needs them', () => {
    const { reports } = compileRules(ruleFiles.map((path) => ({ path, text: readFixture(`rules/${path}`) })))
    const others = reports.filter(({ verdict }) => verdict !== 'compiled')
    expect(others.map(({ path, verdict }) => [path, verdict])).toEqual([['expand.yml', 'needs_configuration']])
  })
})

describe('sample events', () => {
  test.for(eventFiles)('%s: every event has a known logsource, and some are harmless', (file) => {
    const events = readFixtureEvents(`events/${file}`)
    expect(events.length).toBeGreaterThan(0)
    const engine = new Engine(ruleSet)
    const matchedRows = new Set(detectionMatches(engine.push(events)).map(({ row }) => row))
    expect(engine.counts.unrouted).toBe(0)
    expect(matchedRows.size).toBeGreaterThan(0)
    expect(matchedRows.size).toBeLessThan(events.length)
  })

  test('match rules of every level', () => {
    expect(new Set(matches.map(({ rule }) => rule.level))).toEqual(new Set(levels))
  })

  test.for(eventFiles)('%s: addresses are from the documentation ranges', (file) => {
    const found = readFixture(`events/${file}`).match(/\b\d{1,3}(?:\.\d{1,3}){3}\b|\b[0-9a-f]{1,4}(?::[0-9a-f]{0,4}){2,7}/gi) ?? []
    const isTime = (text: string) => /^\d\d:\d\d:\d\d$/.test(text)
    const ours = /^(?:192\.0\.2|198\.51\.100|203\.0\.113|127\.0\.0)\.|^0\.0\.0\.0$|^2001:db8:/i
    expect(found.filter((text) => !isTime(text) && !ours.test(text))).toEqual([])
  })
})
