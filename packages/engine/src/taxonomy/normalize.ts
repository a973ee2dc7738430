import { noAliases } from '../event/event.ts'
import type { EventObject, Logsource, NormalizedEvent } from '../event/event.ts'
import { readDeclaredLogsource } from './declared-logsource.ts'
import type { DeclaredLogsource } from './declared-logsource.ts'
import { ecsAliases, generalAliases, windowsAliases } from './field-aliases.ts'
import type { ShapeAliasKind } from './field-aliases.ts'
import { detectProduct } from './products/detect-product.ts'
import { findEcsLogsources, isEcsShape } from './shape-ecs.ts'
import { readEvtxShape } from './shape-evtx.ts'
import { isCollectorShape, isFlatShape, readCollectorShape, readFlatShape } from './shape-flat.ts'
import { isInsertsShape, readInsertsShape } from './shape-inserts.ts'
import { readOldWinlogbeatShape, readWinlogbeatShape } from './shape-winlogbeat.ts'
import { readWrappedWindowsShape } from './shape-wrapped-windows.ts'
import { classifyWindowsEvent } from './windows-logsource.ts'

const noLogsources: readonly Logsource[] = []

/**
 * Normalizes an event: finds its logsources and its field names (docs/reference/sigma.md).
 *
 * `auto` recognizes the shape of the event by a few keys. Windows events get the field names of rules, in a copy only
 * when names must change. An ambiguous event has no logsource. A logsource that the event declares in `_logsource`
 * replaces the recognized one. `none` reads only that declaration.
 *
 * Accepts any event, never throws, and neither keeps nor changes the event.
 */
export function normalizeEvent(event: EventObject, taxonomy: 'auto' | 'none'): NormalizedEvent {
  const declared = readDeclaredLogsource(event)
  if (taxonomy === 'none') {
    return { fields: event, logsources: declared?.logsources ?? noLogsources, aliases: noAliases, ignoresNameCase: false, shape: undefined }
  }
  const normalized = readWindowsEvent(event) ?? readOtherEvent(event)
  return declared === undefined ? normalized : applyDeclaredLogsource(normalized, declared)
}

/** Replaces the logsources by the declared ones; those of Windows make field names case-insensitive. */
function applyDeclaredLogsource(normalized: NormalizedEvent, { logsources, isWindows }: DeclaredLogsource): NormalizedEvent {
  const { fields, aliases, ignoresNameCase, shape } = normalized
  if (ignoresNameCase || !isWindows) return { fields, logsources, aliases, ignoresNameCase, shape }
  return { fields: readFlatShape(fields), logsources, aliases, ignoresNameCase: true, shape }
}

/** Checks flat events first, because most events are flat and two reads identify them. */
function readWindowsEvent(event: EventObject): NormalizedEvent | undefined {
  if (isFlatShape(event)) {
    if (isInsertsShape(event)) return normalizeWindowsFields(readInsertsShape(event), 'none', 'Windows event of Fluent Bit or Fluentd')
    return isCollectorShape(event)
      ? normalizeWindowsFields(readCollectorShape(event), 'message', 'Windows event of NXLog or Export-WinEvents')
      : normalizeWindowsFields(readFlatShape(event), 'none', 'Windows event')
  }
  const converted = readEvtxShape(event)
  if (converted !== undefined) return normalizeWindowsFields(converted, 'none', 'Windows event converted from XML')
  const old = readOldWinlogbeatShape(event)
  if (old !== undefined) return normalizeWindowsFields(old, 'none', 'Winlogbeat 6 or earlier')
  const wrapped = readWrappedWindowsShape(event)
  if (wrapped !== undefined) return normalizeWindowsFields(wrapped.fields, 'none', wrapped.shape)
  const ecs = readWinlogbeatShape(event)
  return ecs === undefined ? undefined : normalizeWindowsFields(ecs, 'ecs', 'Winlogbeat')
}

function normalizeWindowsFields(fields: EventObject, kind: ShapeAliasKind, shape: string): NormalizedEvent {
  const { logsources, aliases } = classifyWindowsEvent(fields)
  const ignoresNameCase = logsources[0]?.product === 'windows'
  return { fields, logsources, aliases: windowsAliases[aliases][kind], ignoresNameCase, shape }
}

function readOtherEvent(event: EventObject): NormalizedEvent {
  const product = detectProduct(event)
  if (product !== undefined) {
    const { fields, logsources, aliases, name } = product
    return { fields, logsources, aliases, ignoresNameCase: false, shape: name }
  }
  if (!isEcsShape(event)) {
    return { fields: event, logsources: noLogsources, aliases: generalAliases, ignoresNameCase: false, shape: undefined }
  }
  const logsources = findEcsLogsources(event) ?? noLogsources
  const ignoresNameCase = logsources[0]?.product === 'windows'
  return { fields: event, logsources, aliases: ecsAliases, ignoresNameCase, shape: 'Elastic Common Schema' }
}
