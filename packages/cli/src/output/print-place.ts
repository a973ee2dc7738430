import type { LinePlace } from '../framework/line-place.ts'
import { escapeControl } from '../framework/escape-control.ts'

/** The line of an event in JSON; with several inputs, also which one. It is null for an event of an earlier input. */
export function toPlaceBody(place: LinePlace | undefined): { readonly line: number | null; readonly input?: string } {
  return { line: place?.line ?? null, ...(place?.path !== undefined && { input: place.path }) }
}

/** The same where lines are listed: a number alone where there is one input. */
export function toLineBody(place: LinePlace | undefined): number | null | object {
  return place?.path === undefined ? place?.line ?? null : toPlaceBody(place)
}

/** `line 3`, or `auth.ndjson:3` with several inputs, as compilers name places. */
export function printPlace({ line, path }: LinePlace): string {
  return path === undefined ? `line ${line}` : `${escapeControl(path)}:${line}`
}
