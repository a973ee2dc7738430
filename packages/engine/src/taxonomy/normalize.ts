import { noAliases } from '../event/event.ts'
import type { EventObject, Logsource, NormalizedEvent } from '../event/event.ts'
import { declaredLogsourceOf } from './declared-logsource.ts'
import type { DeclaredLogsource } from './declared-logsource.ts'
import { productKindOf } from './detect-product.ts'
import { ecsAliases, generalAliases, windowsAliases } from './field-aliases.ts'
import type { ShapeAliasKind } from './field-aliases.ts'
import { ecsLogsourcesOf, isEcsShape } from './shape-ecs.ts'
import { readEvtxShape } from './shape-evtx.ts'
import { isCollectorShape, isFlatShape, readCollectorShape, readFlatShape } from './shape-flat.ts'
import { readOldWinlogbeatShape, readWinlogbeatShape } from './shape-winlogbeat.ts'
import { windowsKindOf } from './windows-logsource.ts'

/**
 * Tells what kind of event it is and where its fields are (sigma.md section 3, D-3, D-4).
 *
 * With `auto` the shape of the event is recognized by a few of its keys; Windows events get the names that
 * rules use, in a copy where names have to change and as they are where not. What cannot be told with
 * certainty is unknown: no logsource. A logsource that the event declares in `_logsource` replaces what its
 * shape tells. With `none` only that declaration is read.
 *
 * The event may hold anything. Never throws, and neither keeps nor changes the event.
 */
export function normalizeEvent(event: EventObject, taxonomy: 'auto' | 'none'): NormalizedEvent {
  const declared = declaredLogsourceOf(event)
  if (taxonomy === 'none') {
    return { fields: event, logsources: declared?.logsources ?? unknown, aliases: noAliases, ignoresNameCase: false }
  }
  const normalized = readWindowsEvent(event) ?? readOtherEvent(event)
  return declared === undefined ? normalized : withDeclared(normalized, declared)
}

/** The declaration decides where the event is from, and with that how the names of its fields compare. */
function withDeclared(normalized: NormalizedEvent, { logsources, isWindows }: DeclaredLogsource): NormalizedEvent {
  const { fields, aliases, ignoresNameCase } = normalized
  if (ignoresNameCase || !isWindows) return { fields, logsources, aliases, ignoresNameCase }
  return { fields: readFlatShape(fields), logsources, aliases, ignoresNameCase: true }
}

const unknown: readonly Logsource[] = []

/** Flat events come first: they are most, and two reads show them. */
function readWindowsEvent(event: EventObject): NormalizedEvent | undefined {
  if (isFlatShape(event)) {
    return isCollectorShape(event)
      ? normalizedWindows(readCollectorShape(event), 'message')
      : normalizedWindows(readFlatShape(event), 'none')
  }
  const unmarked = readEvtxShape(event) ?? readOldWinlogbeatShape(event)
  if (unmarked !== undefined) return normalizedWindows(unmarked, 'none')
  const ecs = readWinlogbeatShape(event)
  return ecs === undefined ? undefined : normalizedWindows(ecs, 'ecs')
}

function normalizedWindows(fields: EventObject, shape: ShapeAliasKind): NormalizedEvent {
  const { logsources, aliases } = windowsKindOf(fields)
  const ignoresNameCase = logsources[0]?.product === 'windows'
  return { fields, logsources, aliases: windowsAliases[aliases][shape], ignoresNameCase }
}

function readOtherEvent(event: EventObject): NormalizedEvent {
  const product = productKindOf(event)
  if (product !== undefined) {
    return { fields: product.fields, logsources: product.logsources, aliases: noAliases, ignoresNameCase: false }
  }
  if (!isEcsShape(event)) return { fields: event, logsources: unknown, aliases: generalAliases, ignoresNameCase: false }
  const logsources = ecsLogsourcesOf(event) ?? unknown
  return { fields: event, logsources, aliases: ecsAliases, ignoresNameCase: logsources[0]?.product === 'windows' }
}
