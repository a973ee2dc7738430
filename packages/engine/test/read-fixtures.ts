import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { EventObject } from '../src/index.ts'

const folder = fileURLToPath(new URL('../../../fixtures/', import.meta.url))

/** Returns the path of a fixture file or folder. */
export function fixturePath(name: string): string {
  return folder + name
}

/** Lists the names in a fixture folder with an ending, sorted. */
export function fixtureNames(name: string, ending: string): string[] {
  return readdirSync(fixturePath(name)).filter((entry) => entry.endsWith(ending)).toSorted()
}

export function readFixture(name: string): string {
  return readFileSync(fixturePath(name), 'utf8')
}

/** Reads a JSON fixture; `absent` when there is none. */
export function readFixtureJson<Value>(name: string, absent: Value): Value {
  return existsSync(fixturePath(name)) ? JSON.parse(readFixture(name)) : absent
}

/** Reads the events of an NDJSON fixture; empty when there is none. */
export function readFixtureEvents(name: string): EventObject[] {
  if (!existsSync(fixturePath(name))) return []
  return readFixture(name).split('\n').filter((line) => line !== '').map((line) => JSON.parse(line))
}
