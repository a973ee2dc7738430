import { FleetValues } from './fleet-values.ts'
import { otherTemplates } from './other-templates.ts'
import { windowsShapes } from './shapes.ts'
import type { WindowsShape } from './shapes.ts'
import { windowsTemplates } from './windows-templates.ts'
import type { WindowsTemplate } from './windows-templates.ts'

/** How many events, and which: the same options give the same lines. */
export type FleetOptions = { readonly seed: number; readonly count: number }

/** Events begin here: the seed decides all that follows. */
const startsAtMs = Date.UTC(2026, 10, 2, 6)

/** Lines of Windows events as a fleet sends them, in the shape of a collector; `eventIds` picks some kinds. */
export function generateWindowsLines({ seed, count }: FleetOptions, shape: WindowsShape, eventIds?: readonly number[]): string[] {
  const write = windowsShapes[shape]
  const templates = windowsTemplates.filter(({ eventId }) => eventIds?.includes(eventId) ?? true)
  const values = new FleetValues(seed, startsAtMs)
  return Array.from({ length: count }, (_, i) => {
    values.beginEvent()
    const template: WindowsTemplate = values.random.pickWeighted(templates)
    return JSON.stringify(write({
      template,
      time: values.time,
      computer: `${values.host}.corp.example`,
      recordId: 4_000_000 + seed + i,
      threadId: 4 * (1 + values.random.below(8_000)),
      deliveryId: values.fillText('{guid}'),
      data: Object.fromEntries(Object.entries(template.data).map(([name, text]) => [name, values.fillText(text)])),
    }))
  })
}

/** Lines of other products' events: Linux, CloudTrail, Zeek, a proxy. */
export function generateOtherLines({ seed, count }: FleetOptions): string[] {
  const values = new FleetValues(seed, startsAtMs)
  return Array.from({ length: count }, () => {
    values.beginEvent()
    return JSON.stringify(values.fill(values.random.pickWeighted(otherTemplates).event))
  })
}
