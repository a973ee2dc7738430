import type { EventObject, Logsource } from '../event/event.ts'
import type { WindowsAliasKind } from './field-aliases.ts'
import { ownText, ownValue } from './read-own-value.ts'
import { kernelFileCategories, kernelFileProvider, windowsCategories } from './windows-categories.ts'
import type { CategoryRow } from './windows-categories.ts'
import { channelsOfProviders, linuxSysmonChannel, rpcFirewallChannel, windowsChannels } from './windows-channels.ts'
import { integerOf } from './windows-fields.ts'

/** Which event it is: its logsources, one for each category, and whose field names it has. */
export type WindowsKind = {
  /** Made once, when this module loads. */
  readonly logsources: readonly Logsource[]
  readonly aliases: WindowsAliasKind
}

/** Tells the kind of an event whose header has rules' names: by channel, event id and `EventType`. */
export function windowsKindOf(fields: EventObject): WindowsKind {
  const source = sourceOf(fields)
  if (source === undefined) return unknownChannel
  const entry = source.events.get(integerOf(ownValue(fields, 'EventID')) ?? -1)
  if (entry === undefined) return source.otherwise
  if (entry.byEventType === undefined) return entry.kind
  return entry.byEventType.get(ownText(fields, 'EventType')?.toLowerCase() ?? '') ?? entry.kind
}

/** A channel, or a provider without one: what its events are, by id. */
type Source = { readonly otherwise: WindowsKind; readonly events: ReadonlyMap<number, EventEntry> }
type EventEntry = { readonly kind: WindowsKind; readonly byEventType?: Map<string, WindowsKind> }

const unknownChannel: WindowsKind = { logsources: [{ product: 'windows' }], aliases: 'none' }

const sources: ReadonlyMap<string, Source> = new Map([
  ...windowsChannels.map(([channel, ...services]): [string, Source] => (
    [channel.toLowerCase(), sourceOfServices('windows', services)]
  )),
  [linuxSysmonChannel.toLowerCase(), sourceOfServices('linux', ['sysmon'])],
  [rpcFirewallChannel.toLowerCase(), {
    otherwise: {
      logsources: [{ product: 'windows' }, { product: 'rpc_firewall', category: 'application' }],
      aliases: 'rpcFirewall',
    },
    events: new Map(),
  }],
])

const kernelFile: Source = {
  otherwise: unknownChannel,
  events: new Map(kernelFileCategories.map(([eventId, category]) => (
    [eventId, { kind: { logsources: [{ product: 'windows', category }], aliases: 'none' } }]
  ))),
}

const sourcesOfProviders: ReadonlyMap<string, Source | undefined> = new Map(
  channelsOfProviders.map(([provider, channel]) => [provider, sources.get(channel.toLowerCase())]),
)

/** Characters of the longest channel known, which is as much of a channel as is looked at. */
const channelLengthMax = Math.max(...[...sources.keys()].map(({ length }) => length))

function sourceOf(fields: EventObject): Source | undefined {
  const provider = ownText(fields, 'Provider_Name')
  if (provider === kernelFileProvider) return kernelFile
  const channel = ownText(fields, 'Channel')
  if (channel !== undefined) return channel.length > channelLengthMax ? undefined : sources.get(channel.toLowerCase())
  return provider === undefined ? undefined : sourcesOfProviders.get(provider)
}

function sourceOfServices(product: string, services: readonly string[]): Source {
  const events = new Map<number, EventEntry>()
  const rows = windowsCategories.filter(({ service }) => services.includes(service))
  for (const row of rows.filter(({ eventType }) => eventType === undefined)) {
    for (const eventId of row.eventIds) events.set(eventId, { kind: kindOfRow(product, row) })
  }
  for (const row of rows) {
    if (row.eventType === undefined) continue
    for (const eventId of row.eventIds) {
      const entry = events.get(eventId) ?? { kind: { logsources: [], aliases: 'none' as const } }
      const byEventType = entry.byEventType ?? new Map<string, WindowsKind>()
      byEventType.set(row.eventType.toLowerCase(), kindOfRow(product, row))
      events.set(eventId, { ...entry, byEventType })
    }
  }
  return { otherwise: { logsources: services.map((service) => ({ product, service })), aliases: 'none' }, events }
}

function kindOfRow(product: string, { service, categories, aliases }: CategoryRow): WindowsKind {
  return { logsources: categories.map((category) => ({ category, product, service })), aliases: aliases ?? 'none' }
}
