import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { EventObject } from '../src/index.ts'

const folder = fileURLToPath(new URL('../../../fixtures/', import.meta.url))

/** The path of a file or folder of the project's fixtures. */
export function fixturePath(name: string): string {
  return folder + name
}

/** The names in a folder of the fixtures that end in a text, in order. */
export function fixtureNames(name: string, ending: string): string[] {
  return readdirSync(fixturePath(name)).filter((entry) => entry.endsWith(ending)).toSorted()
}

export function readFixture(name: string): string {
  return readFileSync(fixturePath(name), 'utf8')
}

/** A JSON file of the fixtures; `absent` where there is none. */
export function readFixtureJson<Value>(name: string, absent: Value): Value {
  return existsSync(fixturePath(name)) ? JSON.parse(readFixture(name)) : absent
}

/** The events of an NDJSON file of the fixtures; none where there is no such file. */
export function readFixtureEvents(name: string): EventObject[] {
  if (!existsSync(fixturePath(name))) return []
  return readFixture(name).split('\n').filter((line) => line !== '').map((line) => JSON.parse(line))
}
